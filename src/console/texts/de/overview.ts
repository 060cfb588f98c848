export const overview = {
  title: 'Übersicht',
}
