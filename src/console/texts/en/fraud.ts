export const fraud = {
  title: 'Fraud',
}
