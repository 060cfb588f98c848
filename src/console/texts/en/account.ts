export const account = {
  title: 'Sign in',
}
