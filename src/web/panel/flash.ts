import type { PanelGrant } from '../../customers/panel.ts'
import type { Language } from '../kit/i18n/languages.ts'

/** Messages about the last action, shown once on the next page. */
const FLASH_KEYS = [
  'added',
  'addedAmounts',
  'removed',
  'stopped',
  'saved',
  'confirmed',
  'defaultChanged',
  'verifyOver',
] as const
type Flash = (typeof FLASH_KEYS)[number]

/** Only known keys are shown: the query may hold any text. */
export function flashOf({ texts }: Language, key: string | undefined): string | undefined {
  const flash = FLASH_KEYS.find((one) => one === key)
  return flash && texts.panel[flash]
}

/** URL of the overview, or of the final page when the link is for one task. */
export const urlWithFlash = ({ task }: PanelGrant, flash: Flash): string =>
  task === undefined ? `/p?note=${flash}` : `/p/done?note=${flash}`
