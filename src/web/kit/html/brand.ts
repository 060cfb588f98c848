import { createHash } from 'node:crypto'
import { brandColours, DEFAULT_BRAND } from '../../../base/presentation/colour.ts'
import type { App } from '../../../merchants/app.ts'

/** Branding of an app on its pages. */
export interface Brand {
  readonly name: string
  readonly isSandbox: boolean
  readonly logoUrl: string | undefined
  readonly slogan1: string | undefined
  readonly slogan2: string | undefined
  readonly supportUrl: string | undefined
  readonly termsUrl: string | undefined
  readonly privacyUrl: string | undefined
  /** Undefined: follow the device. */
  readonly theme: 'light' | 'dark' | undefined
  readonly showPoweredBy: boolean
  /** The inline style sheet, and its hash for the content security policy. */
  readonly style: string
  readonly styleHash: string
}

export function brandOf(app: App): Brand {
  const { branding } = app
  return {
    name: app.friendlyName,
    isSandbox: app.isSandbox,
    logoUrl: branding.logoHash ? `/assets/logos/${app.appId}/${branding.logoHash}` : undefined,
    slogan1: branding.slogan1 ?? undefined,
    slogan2: branding.slogan2 ?? undefined,
    supportUrl: supportUrl(branding.support),
    termsUrl: branding.termsUrl ?? undefined,
    privacyUrl: branding.privacyUrl ?? undefined,
    theme: branding.theme ?? undefined,
    showPoweredBy: branding.showPoweredBy,
    ...sheetOf(branding.color ?? DEFAULT_BRAND),
  }
}

/** Branding of a page without an app. */
export const plainBrand = (name: string, isSandbox: boolean): Brand => ({
  name,
  isSandbox,
  logoUrl: undefined,
  slogan1: undefined,
  slogan2: undefined,
  supportUrl: undefined,
  termsUrl: undefined,
  privacyUrl: undefined,
  theme: undefined,
  showPoweredBy: true,
  ...sheetOf(DEFAULT_BRAND),
})

const supportUrl = (support: string | null): string | undefined =>
  support?.includes('://') ? support : support ? `mailto:${encodeURI(support)}` : undefined

const sheets = new Map<string, Pick<Brand, 'style' | 'styleHash'>>()
const MAX_SHEETS = 10_000

function sheetOf(colour: string): Pick<Brand, 'style' | 'styleHash'> {
  const known = sheets.get(colour)
  if (known) return known
  const style = sheetText(colour)
  const made = { style, styleHash: `'sha256-${createHash('sha256').update(style).digest('base64')}'` }
  if (sheets.size >= MAX_SHEETS) sheets.clear()
  sheets.set(colour, made)
  return made
}

/** Contains no character that HTML escapes: the hash covers exactly these bytes. */
function sheetText(colour: string): string {
  const made = brandColours(colour)
  const light = `--brand:${made.fill};--on-brand:${made.onFill};--link:${made.textLight}`
  const dark = `--brand:${made.fillDark};--on-brand:${made.onFillDark};--link:${made.textDark}`
  return (
    `@layer tokens{:root{${light}}` +
    `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}` +
    `:root[data-theme=dark]{${dark}}}`
  )
}
