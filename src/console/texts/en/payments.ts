export const payments = {
  title: 'Payments',
}
