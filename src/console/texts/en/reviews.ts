export const reviews = {
  title: 'Reviews',
}
