export const links = {
  title: 'Zahlungslinks',
}
