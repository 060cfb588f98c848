import { createCheck } from '../../../http/validate.ts'
import type { App, Branding } from '../../../merchants/app.ts'
import { BrandingPatch, brandingChanges } from '../../../merchants/apps/branding.ts'

/** The members of the branding that the editor has fields for, without the logo. */
const DRAFT_FIELDS = [
  'color',
  'slogan1',
  'slogan2',
  'support',
  'termsUrl',
  'privacyUrl',
  'locale',
  'theme',
] as const

type TextField = (typeof DRAFT_FIELDS)[number]
/** `poweredBy` is `no`, or empty: yes. */
export type BrandingDraft = Readonly<Record<TextField | 'poweredBy', string>>

const draftFrom = (value: (name: keyof BrandingDraft) => string): BrandingDraft =>
  Object.fromEntries(
    [...DRAFT_FIELDS, 'poweredBy' as const].map((name) => [name, value(name)]),
  ) as BrandingDraft

export const storedDraft = ({ branding }: App): BrandingDraft =>
  draftFrom((name) => (name === 'poweredBy' ? (branding.showPoweredBy ? '' : 'no') : (branding[name] ?? '')))

export const postedDraft = (form: ReadonlyMap<string, string>): BrandingDraft =>
  draftFrom((name) => (form.get(name) ?? '').trim())

export const draftQuery = (draft: BrandingDraft): string => new URLSearchParams(draft).toString()

/** As the API takes it. */
export function brandingOf({ poweredBy, ...texts }: BrandingDraft) {
  return { ...texts, showPoweredBy: poweredBy !== 'no' }
}

const check = createCheck(BrandingPatch)

/** The app as the draft in the query would show it. Values that could not be saved are left out. */
export function appWithDraft(app: App, query: Readonly<Record<string, string>>): App {
  const members = DRAFT_FIELDS.map((name) => draftMember(name, query[name]))
  const foot = query.poweredBy === undefined ? {} : { showPoweredBy: query.poweredBy !== 'no' }
  return { ...app, branding: Object.assign({}, app.branding, foot, ...members) as Branding }
}

function draftMember(name: TextField, value: string | undefined): Partial<Branding> {
  if (value === undefined || check({ [name]: value }).length > 0) return {}
  try {
    return { [name]: brandingChanges({ [name]: value })[name] }
  } catch {
    return {}
  }
}
