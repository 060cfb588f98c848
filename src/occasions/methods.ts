import { hasCardNumber } from '../base/cards/find.ts'
import { inParallel } from '../base/turns.ts'
import type { Context } from '../context.ts'
import { panelLink } from '../customers/panel.ts'
import { readCardAgain } from '../customers/refresh-method.ts'
import type { Queryable } from '../db/database.ts'
import { queueMail } from '../mail/queue.ts'
import type { App } from '../merchants/app.ts'
import type { PayerMail } from '../merchants/apps/mail-kinds.ts'
import type { CursorPosition } from './cursors-store.ts'
import { activityAfter, type CardOccasion, cardsAfter, type MethodOccasion } from './methods-store.ts'
import { MAIL_LINK_MS } from './payments.ts'
import { expiresSoon } from './rules.ts'

interface Page {
  readonly after: CursorPosition
  readonly until: Date
  readonly limit: number
}

const KINDS: Readonly<Record<string, 'method-added' | 'method-removed'>> = {
  MethodAdded: 'method-added',
  MethodRemoved: 'method-removed',
}

/** Queues e-mails about methods that were added or removed; returns the last position. */
export async function mailActivity(
  ctx: Context,
  tx: Queryable,
  app: App,
  page: Page,
): Promise<CursorPosition | undefined> {
  const all = await activityAfter(tx, app.appId, page.after, page)
  for (const activity of all) {
    const kind = KINDS[activity.type]
    const occasion = kind && occasionOf(app, kind, activity, `${kind}:${activity.position.id}`)
    if (!kind || !occasion) continue
    const data = { label: labelOf(activity), time: activity.position.time.toISOString() }
    await queueMail(ctx, tx, occasion, { kind, data })
  }
  return all.at(-1)?.position
}

const READS_AT_ONCE = 8
/** After so many reads without an answer the others of a page are not tried. */
const SILENT_READS = 3

/**
 * Reads cards again that are about to be named in an e-mail, once for each e-mail. A provider that is away
 * changes nothing.
 */
export async function freshenCards(ctx: Context, app: App, page: Page): Promise<void> {
  if (!app.mails.payer.includes('card-expiring')) return
  const all = await cardsAfter(ctx.db, app.appId, page.after, page)
  let silent = 0
  await inParallel(all.filter(isDue(page)), READS_AT_ONCE, async ({ customerId, position }) => {
    if (silent >= SILENT_READS) return
    if (!(await readCardAgain(ctx, app, { customerId, paymentMethodId: position.id }))) silent++
  })
}

/** Whether the customer gets an e-mail about this card now. */
const isDue =
  ({ until }: Page) =>
  ({ email, month, year }: CardOccasion): boolean =>
    email !== null && month !== null && year !== null && expiresSoon(month, year, until)

/** Queues e-mails about stored cards that expire soon; returns the last position. */
export async function mailCards(
  ctx: Context,
  tx: Queryable,
  app: App,
  page: Page,
): Promise<CursorPosition | undefined> {
  const all = await cardsAfter(tx, app.appId, page.after, page)
  for (const card of all) {
    const { month, year, customerId, position } = card
    if (month === null || year === null || !expiresSoon(month, year, page.until)) continue
    const occasion = occasionOf(app, 'card-expiring', card, `card-expiring:${position.id}:${year}-${month}`)
    if (!occasion) continue
    const url = panelLink(ctx, app, { customerId, scope: 'All', task: 'add-method' }, MAIL_LINK_MS)
    await queueMail(ctx, tx, occasion, {
      kind: 'card-expiring',
      data: { label: labelOf(card), month, year, url },
    })
  }
  return all.at(-1)?.position
}

/** Undefined when the customer gets no e-mail. */
function occasionOf(app: App, kind: PayerMail, method: MethodOccasion, mailId: string) {
  const { email, customerId, label, language } = method
  if (!email || label === null || !app.mails.payer.includes(kind)) return undefined
  return { appId: app.appId, mailId, to: email, locale: language ?? app.branding.locale, customerId }
}

/** The label is masked by the provider; one that holds a whole number is not passed on. */
const labelOf = ({ label }: MethodOccasion): string => (label && !hasCardNumber(label) ? label : '••••')
