export const payments = {
  title: 'Zahlungen',
}
