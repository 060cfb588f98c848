import type { PanelGrant } from '../../customers/panel.ts'
import type { Language } from '../i18n/languages.ts'

/** What was just done, as the next page says it. */
const FLASHES = [
  'added',
  'addedAmounts',
  'removed',
  'stopped',
  'saved',
  'confirmed',
  'defaultChanged',
  'verifyOver',
] as const
type Flash = (typeof FLASHES)[number]

/** Whatever else an address says is not repeated. */
export function flashOf({ texts }: Language, asked: string | undefined): string | undefined {
  const note = FLASHES.find((one) => one === asked)
  return note && texts.panel[note]
}

/** The overview; or, for a link with one task, its end. */
export const urlWithFlash = ({ task }: PanelGrant, note: Flash): string =>
  task === undefined ? `/p?note=${note}` : `/p/done?note=${note}`
