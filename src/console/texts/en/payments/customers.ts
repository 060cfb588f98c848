export const customers = {
  title: 'Customers',
}
