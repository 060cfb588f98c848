export const profile = {
  title: 'Profil',
}
