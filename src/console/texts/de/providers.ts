export const providers = {
  title: 'Anbieter',
}
