import { LIMITS } from '../base/limits.ts'
import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Mail } from '../mail/kinds.ts'
import { canSend, queueMail } from '../mail/queue.ts'
import type { App } from '../merchants/app.ts'
import type { TeamMail } from '../merchants/apps/mail-kinds.ts'
import { type NoticeContent, writeNotice } from '../notices/notices.ts'
import { permissionsOf, ROLES } from '../people/access/roles.ts'
import { membersOf, type Recipient, withLanguages } from './recipients-store.ts'

/** Recipients of e-mails about an app: its addresses, otherwise the owners. A sandbox app has no default. */
export function teamOf(tx: Queryable, app: App): Promise<Recipient[]> {
  if (app.mails.teamAddresses.length > 0) return withLanguages(tx, app.mails.teamAddresses)
  return app.isSandbox
    ? Promise.resolve([])
    : membersOf(tx, app.licenseId, { roles: ['Owner'], most: LIMITS.refundEmails })
}

/** Whether the team gets e-mails of this kind. */
export const wantsMail = (ctx: Context, { mails, isSandbox }: App, kind: TeamMail): boolean =>
  canSend(ctx) && mails.team.includes(kind) && (!isSandbox || mails.teamAddresses.length > 0)

const BOOKS = 'SettlementWrite'
const BOOKKEEPERS = ROLES.filter((role) => permissionsOf(role).has(BOOKS))

/** The same for e-mails about settlements, with everyone who can end an exception instead of the owners. */
export function settlementTeamOf(tx: Queryable, app: App): Promise<Recipient[]> {
  if (app.mails.teamAddresses.length > 0) return teamOf(tx, app)
  return app.isSandbox
    ? Promise.resolve([])
    : membersOf(tx, app.licenseId, { roles: BOOKKEEPERS, permission: BOOKS, most: LIMITS.refundEmails })
}

/** Recipients of refund e-mails. */
export const refundTeamOf = (tx: Queryable, app: App): Promise<Recipient[]> =>
  app.refundEmails.length > 0 ? withLanguages(tx, app.refundEmails) : Promise.resolve([])

interface TeamOccasion {
  readonly app: App
  readonly occasion: string
  readonly notice: NoticeContent
  /** Who gets the e-mail. */
  readonly recipientsOf?: (tx: Queryable, app: App) => Promise<Recipient[]>
}

type MailOfTeam = Extract<Mail, { readonly kind: TeamMail }>

/** The notice of the console, and the e-mail where the team wants it. */
export async function noteAndTell(
  ctx: Context,
  tx: Queryable,
  { app, occasion, notice, recipientsOf = teamOf }: TeamOccasion,
  mail: MailOfTeam,
): Promise<void> {
  const { appId } = app
  await writeNotice(ctx, tx, { appId, occasion }, notice)
  if (!wantsMail(ctx, app, mail.kind)) return
  await tellTeam(ctx, tx, { appId, occasion, recipients: await recipientsOf(tx, app) }, mail)
}

/** Queues one message for each recipient. */
export async function tellTeam(
  ctx: Context,
  tx: Queryable,
  { appId, occasion, recipients }: { appId: string; occasion: string; recipients: readonly Recipient[] },
  mail: Mail,
): Promise<void> {
  for (const { address, language } of recipients) {
    const mailId = `${occasion}:${sha256(address.toLowerCase()).toString('hex').slice(0, 16)}`
    await queueMail(ctx, tx, { appId, mailId, to: address, locale: language }, mail)
  }
}
