import type { ConsoleTexts } from '../texts.ts'

export const audit: ConsoleTexts['audit'] = {
  title: 'Protokoll',
  intro:
    'Jede Änderung durch eine Person und jede Änderung der Einstellungen. Einträge lassen sich ' +
    'weder ändern ' +
    'noch löschen.',
  time: 'Zeit',
  who: 'Wer',
  what: 'Was',
  target: 'Ziel',
  change: 'Änderung',
  address: 'Adresse',
  requestId: 'Anfragenummer',
  filter: 'Filtern',
  clear: 'Filter löschen',
  exportCsv: 'Exportieren',
  empty: 'Keine Einträge',
  emptyBody: 'Hier erscheinen Einträge, sobald das Team etwas ändert.',
  emptyFiltered: 'Kein Eintrag passt zum Filter.',
}
