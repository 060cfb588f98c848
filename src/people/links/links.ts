import { after, DAY, HOUR } from '../../base/clock.ts'
import { CONSOLE_PAGES } from '../../base/console-pages.ts'
import { notFound } from '../../base/errors.ts'
import { randomText } from '../../base/ids.ts'
import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { newToken } from '../sessions/sessions.ts'
import { insertLink, type LinkKind, markUsed, type PersonLink, selectLink } from '../store/links.ts'

/** An invitation waits for its reader; links that open an existing account are used at once. */
const VALID_MS: Readonly<Record<LinkKind, number>> = {
  invitation: 7 * DAY,
  'password-reset': DAY,
  'second-factor-reset': DAY,
  'owner-restore': HOUR,
}

const PATHS: Readonly<Record<LinkKind, string>> = {
  invitation: CONSOLE_PAGES.join,
  'password-reset': CONSOLE_PAGES.resetPassword,
  'second-factor-reset': CONSOLE_PAGES.resetSecondFactor,
  'owner-restore': CONSOLE_PAGES.restoreOwner,
}

/** A new link with its address, shown once: only a hash is stored. */
export interface ShownLink {
  readonly link: PersonLink
  readonly url: string
  readonly token: string
}

type LinkDetails = Pick<PersonLink, 'kind' | 'email'> &
  Partial<
    Pick<
      PersonLink,
      'licenseId' | 'role' | 'refundLimits' | 'personId' | 'createdBy' | 'makerId' | 'isMailed'
    >
  >

type Ctx = Pick<Context, 'clock' | 'random' | 'config'>

export async function issueLink(ctx: Ctx, tx: Queryable, details: LinkDetails): Promise<ShownLink> {
  const token = newToken(ctx)
  const now = ctx.clock.now()
  const link = await insertLink(tx, {
    hash: sha256(token),
    linkId: `lnk_${randomText(ctx.random, 16)}`,
    kind: details.kind,
    email: details.email,
    licenseId: details.licenseId ?? null,
    role: details.role ?? null,
    refundLimits: details.refundLimits ?? null,
    personId: details.personId ?? null,
    createdBy: details.createdBy ?? null,
    makerId: details.makerId ?? null,
    isMailed: details.isMailed ?? false,
    createdTime: now,
    expiresTime: after(now, VALID_MS[details.kind]),
  })
  return { link, url: `${ctx.config.publicUrl}${PATHS[details.kind]}/${token}`, token }
}

/** The link of a token while it can be used, for the page that it leads to. */
export async function findOpenLink(
  ctx: Context,
  token: string,
  kind: LinkKind,
): Promise<PersonLink | undefined> {
  const link = await selectLink(ctx.db, sha256(token))
  const isOpen = link?.kind === kind && link.usedTime === null && link.expiresTime > ctx.clock.now()
  return isOpen ? link : undefined
}

/** Uses a link within a transaction. Throws 404 when it is unknown, expired or used. */
export async function takeLink(
  ctx: Context,
  tx: Queryable,
  token: string,
  kind: LinkKind,
): Promise<PersonLink> {
  const link = await markUsed(tx, sha256(token), ctx.clock.now())
  if (link?.kind !== kind) throw notFound('The link')
  return link
}
