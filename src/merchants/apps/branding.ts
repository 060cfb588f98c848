import Type, { type Static } from 'typebox'
import { type FieldError, invalid } from '../../base/errors.ts'
import { isLinkedMailbox } from '../../base/mailbox.ts'
import { expected } from '../../base/mistakes.ts'
import { sha256 } from '../../base/secret.ts'
import { isWebUrl } from '../../base/text.ts'
import type { Context } from '../../context.ts'
import { patchOf, readPatch, text, UrlOrNothing } from '../../http/wire.ts'
import type { App, Branding } from '../app.ts'
import { type BrandingChanges, type StoredLogo, selectLogo } from './branding-store.ts'

/** Branding of an app on the payer pages. */

const SLOGAN_LENGTH = 120
/** Enough for a logo 40 pixels high. Base64 is a third longer. */
const LOGO_BYTES = 64 * 1024
const LOGO_LENGTH = Math.ceil((LOGO_BYTES * 4) / 3) + 40

const Nullable = Type.Union([Type.String(), Type.Null()])

export const BrandingAnswer = Type.Object(
  {
    logoUrl: Nullable,
    color: Nullable,
    slogan1: Nullable,
    slogan2: Nullable,
    support: Nullable,
    termsUrl: Nullable,
    privacyUrl: Nullable,
    locale: Nullable,
    theme: Nullable,
    showPoweredBy: Type.Boolean({ description: 'The pages name Tender at their foot.' }),
  },
  { title: 'Branding', description: 'How the app shows itself on the checkout and the customer panel.' },
)

const orNothing = (pattern: string, expected: string, more: object = {}) =>
  patchOf(Type.String({ pattern: `^(${pattern})?$`, expected, ...more }))

export const Logo = text(LOGO_LENGTH, {
  expected: 'logo',
  description: 'The image itself as a data: address. Pages load nothing from other hosts.',
})

export const Slogan = text(SLOGAN_LENGTH)

export const BrandingPatch = Type.Object({
  logo: patchOf(Logo),
  color: orNothing('#[0-9A-Fa-f]{6}', 'colour', {
    description: 'The colour of buttons and links. Corrected where it would be hard to read.',
  }),
  slogan1: patchOf(text(SLOGAN_LENGTH, { description: 'Beneath the name.' })),
  slogan2: patchOf(text(SLOGAN_LENGTH, { description: 'At the foot of the page.' })),
  support: patchOf(text(2_048, { description: 'A web address or an e-mail address.' })),
  termsUrl: patchOf(UrlOrNothing),
  privacyUrl: patchOf(UrlOrNothing),
  locale: orNothing('[a-z]{2}', 'language', {
    description: 'The language of the pages for payers who chose none.',
  }),
  theme: orNothing('light|dark', 'theme', { description: 'Null: as the payer’s device is.' }),
  showPoweredBy: patchOf(Type.Boolean()),
})

export function brandingView(ctx: Pick<Context, 'config'>, { appId, branding }: App) {
  const { logoHash, ...rest } = branding
  return { logoUrl: logoHash && `${ctx.config.publicUrl}/assets/logos/${appId}/${logoHash}`, ...rest }
}

export type BrandingPatch = Static<typeof BrandingPatch>

export function brandingChanges(patch: BrandingPatch | null | undefined): BrandingChanges {
  if (!patch) return {}
  const errors: FieldError[] = []
  const given = (member: string | null | undefined) => (member === '' ? null : member)
  const color = given(readPatch(patch.color))
  const support = given(readPatch(patch.support))
  if (support && !isSupport(support)) errors.push(expected('branding.support', 'contact'))
  const logo = readLogo(given(readPatch(patch.logo)), errors)
  const shown = readPatch(patch.showPoweredBy)
  if (errors.length > 0) throw invalid(errors)
  return {
    logo,
    color: color?.toLowerCase() ?? color,
    slogan1: given(readPatch(patch.slogan1)),
    slogan2: given(readPatch(patch.slogan2)),
    support,
    termsUrl: given(readPatch(patch.termsUrl)),
    privacyUrl: given(readPatch(patch.privacyUrl)),
    locale: given(readPatch(patch.locale)),
    theme: given(readPatch(patch.theme)) as Branding['theme'] | undefined,
    showPoweredBy: shown === null ? true : shown,
  }
}

const isSupport = (support: string): boolean => isWebUrl(support) || isLinkedMailbox(support)

/** Required magic bytes, so that only images are served as images. */
const KINDS: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('\xff\xd8\xff', 'latin1')),
  'image/gif': (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1')),
  'image/webp': (bytes) => /^RIFF.{4}WEBP/s.test(bytes.subarray(0, 12).toString('latin1')),
  'image/svg+xml': (bytes) => /<svg[\s>]/.test(bytes.subarray(0, 1024).toString('utf8')),
}

function readLogo(url: string | null | undefined, errors: FieldError[]): StoredLogo | null | undefined {
  if (url === null || url === undefined) return url
  const match = /^data:(image\/[a-z+]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url)
  const bytes = Buffer.from(match?.[2] ?? '', 'base64')
  const type = match?.[1] ?? ''
  if (!KINDS[type]?.(bytes) || bytes.length > LOGO_BYTES) {
    errors.push(expected('branding.logo', 'logo'))
    return undefined
  }
  const hash = Buffer.from(sha256(bytes.toString('base64')))
    .toString('hex')
    .slice(0, 16)
  return { type, bytes, hash }
}

/** The stored logo, for the page that serves it. */
export const findLogo = (
  ctx: Pick<Context, 'db'>,
  appId: string,
  hash: string,
): Promise<StoredLogo | undefined> => selectLogo(ctx.db, appId, hash)
