export const customers = {
  title: 'Kunden',
}
