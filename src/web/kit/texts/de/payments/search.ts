import type { ConsoleTexts } from '../../texts.ts'

export const search: ConsoleTexts['search'] = {
  title: 'Suche',
  result: 'Treffer',
  kind: 'Art',
  detail: 'Einzelheiten',
  results: (text) => `Ergebnisse für „${text}“`,
  empty: 'Nichts gefunden',
  emptyBody:
    'Suchen Sie nach Zahlungsnummer, Referenz, Kunde, E-Mail-Adresse, den letzten vier Ziffern einer ' +
    'Karte, Ereignisnummer oder Anfragenummer.',
  inPayments: 'Zahlungen mit Filtern suchen',
  kinds: {
    payment: 'Zahlung',
    customer: 'Kunde',
    event: 'Ereignis',
    request: 'API-Anfrage',
    screen: 'Seite',
  },
  newLink: 'Zahlungslink anlegen',
}
