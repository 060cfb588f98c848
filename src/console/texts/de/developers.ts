export const developers = {
  title: 'Entwickler',
}
