export const links = {
  title: 'Payment links',
}
