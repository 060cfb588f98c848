export const system = {
  title: 'System',
}
