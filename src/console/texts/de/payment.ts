export const payment = {
  title: 'Zahlung',
}
