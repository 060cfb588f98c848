import { after } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { appIdFromPart, payerIdOf } from '../base/ids.ts'
import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { createQueue } from '../node/queue.ts'
import { slot } from '../node/slot.ts'
import { getPaymentByReference } from '../payments/actions.ts'
import { createPayment } from '../payments/create.ts'
import type { Payment } from '../payments/payment.ts'
import { LINKS } from './limits.ts'
import { type LinkState, type LinkWithTotals, type PaymentLink, stateOf } from './link.ts'
import { findLinkByKey, freePlace, insertPlace, type LinkPlace, lockLink, totalsOfOthers } from './store.ts'

/** Payers of one link wait here, so that they hold one database connection and not one each. */
const linkQueue = slot('linkQueue', createQueue, {
  holds: 'payers who take a place of a payment link, by link',
  until: 'the end of the last',
  restart: 'nothing: the row of the link is locked as well',
})

export interface OpenedLink {
  readonly app: App
  readonly link: LinkWithTotals
}

const KEY = /^[0-9a-z]{38}$/

/** Undefined if the link does not exist or its app is inactive. */
export async function openLink(ctx: Context, linkKey: string): Promise<OpenedLink | undefined> {
  const appId = KEY.test(linkKey) ? appIdFromPart(linkKey) : undefined
  const app = appId === undefined ? undefined : await loadApp(ctx, appId)
  if (!app?.isActive) return undefined
  const link = await findLinkByKey(ctx.db, { appId: app.appId, now: appNow(ctx, app), linkKey })
  return link && { app, link }
}

interface Payer {
  readonly amountMinor: bigint
  /** Names the form: the same form with the same amount makes one payment. */
  readonly nonce: string
}

/** The payment of one payer, or why the link makes none now. */
export type Paying = { readonly payment: Payment } | { readonly refusal: Exclude<LinkState, 'active'> }

/**
 * Creates the payment of one payer. Its place is taken first, with the link locked, because payments are
 * written in batches outside of transactions. The reference connects both. Decision 0186.
 */
export async function payByLink(ctx: Context, { app, link }: OpenedLink, payer: Payer): Promise<Paying> {
  const suffix = sha256(`${link.linkId} ${payer.nonce} ${payer.amountMinor}`).toString('hex').slice(0, 24)
  const referenceId = `${link.referencePrefix ?? link.linkId}-${suffix}`
  const customerId = payerIdOf(suffix)
  const existing = await findPayment(ctx, app, referenceId)
  if (existing) return { payment: existing }
  const now = appNow(ctx, app)
  const place = { referenceId, takenTime: now, heldUntil: after(now, LINKS.heldMs) }
  const state = await takePlace(ctx, link, place)
  if (state !== 'active') return { refusal: state }
  try {
    const { payment } = await createPayment(ctx, app, {
      ...paymentOf(link, payer, place),
      customerId,
      details: {
        customerOrder: { customer: { customerId }, description: link.description },
        description: link.description,
        paymentLinkId: link.linkId,
      },
    })
    return { payment }
  } catch (error) {
    await freePlace(ctx.db, link, place)
    throw error
  }
}

const paymentOf = (link: PaymentLink, { amountMinor }: Payer, { referenceId, heldUntil }: LinkPlace) =>
  ({
    flow: 'HostedPage',
    referenceId,
    amountMinor,
    currency: link.currency,
    autoCapture: link.autoCapture,
    autoPayment: 'None',
    returnUrl: link.returnUrl,
    webhookUrl: null,
    expirationTime: heldUntil,
    customer: {},
  }) as const

async function findPayment(ctx: Context, app: App, referenceId: string): Promise<Payment | undefined> {
  try {
    return await getPaymentByReference(ctx, app, referenceId)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The state decides; only in an active link the place is taken. */
async function takePlace(ctx: Context, link: LinkWithTotals, place: LinkPlace): Promise<LinkState> {
  if (link.maximumPayments === null) {
    const state = stateOf(link, place.takenTime)
    if (state === 'active') await insertPlace(ctx.db, link, place)
    return state
  }
  return linkQueue(ctx).serialize(link.linkId, () =>
    ctx.db.transaction(async (tx) => {
      const locked = await lockLink(tx, link)
      const totals = await totalsOfOthers(tx, link, place)
      // Removed with everything else of a sandbox app.
      if (!locked || !totals) return 'withdrawn'
      const state = stateOf({ ...locked, ...totals }, place.takenTime)
      if (state === 'active') await insertPlace(tx, link, place)
      return state
    }),
  )
}
