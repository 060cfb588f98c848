import type { PanelGrant } from '../../customers/panel.ts'
import type { Language } from '../i18n/languages.ts'

/** What was just done, as the next page says it. */
const NOTES = [
  'added',
  'addedAmounts',
  'removed',
  'stopped',
  'saved',
  'confirmed',
  'defaultChanged',
  'verifyOver',
] as const
type Note = (typeof NOTES)[number]

/** Whatever else an address says is not repeated. */
export function noteOf({ words }: Language, asked: string | undefined): string | undefined {
  const note = NOTES.find((one) => one === asked)
  return note && words.panel[note]
}

/** The overview; or, for a link with one task, its end. */
export const afterwards = ({ task }: PanelGrant, note: Note): string =>
  task === undefined ? `/p?note=${note}` : `/p/done?note=${note}`
