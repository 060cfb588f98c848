export const account = {
  title: 'Anmelden',
}
