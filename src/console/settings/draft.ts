import { createCheck } from '../../http/validate.ts'
import type { App, Branding } from '../../merchants/app.ts'
import { BrandingPatch, brandingChanges } from '../../merchants/apps/branding.ts'

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

export type BrandingDraft = Readonly<Record<(typeof DRAFT_FIELDS)[number], string>>

const draftFrom = (value: (name: keyof BrandingDraft) => string): BrandingDraft =>
  Object.fromEntries(DRAFT_FIELDS.map((name) => [name, value(name)])) as BrandingDraft

export const storedDraft = ({ branding }: App): BrandingDraft => draftFrom((name) => branding[name] ?? '')

export const postedDraft = (form: ReadonlyMap<string, string>): BrandingDraft =>
  draftFrom((name) => (form.get(name) ?? '').trim())

export const draftQuery = (draft: BrandingDraft): string => new URLSearchParams(draft).toString()

const check = createCheck(BrandingPatch)

/** The app as the draft in the query would show it. Values that could not be saved are left out. */
export function appWithDraft(app: App, query: Readonly<Record<string, string>>): App {
  const members = DRAFT_FIELDS.map((name) => draftMember(name, query[name]))
  return { ...app, branding: Object.assign({}, app.branding, ...members) as Branding }
}

function draftMember(name: keyof BrandingDraft, value: string | undefined): Partial<Branding> {
  if (value === undefined || check({ [name]: value }).length > 0) return {}
  try {
    return { [name]: brandingChanges({ [name]: value })[name] }
  } catch {
    return {}
  }
}
