export const fraud = {
  title: 'Betrugsschutz',
}
