export const reviews = {
  title: 'Prüfungen',
}
