export const routing = {
  title: 'Routing',
}
