import { ApiError } from '../base/errors.ts'
import { newOperationKey } from '../base/ids.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import type { Offer } from '../routing/offers.ts'
import { type Applied, apply } from './apply.ts'
import { type Change, linkExpired } from './changes.ts'
import { drive, type Instruments } from './operations/drive.ts'
import type { Payment } from './payment.ts'

/** How a customer pays: with fields of the provider on our page, with a stored method, or on the provider's page. */
export interface PayWith extends Instruments {
  readonly offer: Offer
  readonly payerIp?: string
  /** Of the stored method, when one is used. */
  readonly paymentMethodId?: number
  readonly tokenId?: number
}

/** The customer starts paying. With nothing in hand but a choice, the provider opens a page for them. */
export async function pay(ctx: Context, app: App, payment: Payment, how: PayWith): Promise<Payment> {
  if (payment.state === 'Created' && linkExpired(payment, appNow(ctx, app)))
    await expireLink(ctx, app, payment)
  const applied = await startAttempt(ctx, app, payment, how)
  return drive(ctx, app, applied, how)
}

function startAttempt(ctx: Context, app: App, payment: Payment, how: PayWith): Promise<Applied> {
  return apply(ctx, app, payment, (current) => {
    if (current.state !== 'Created' || linkExpired(current, appNow(ctx, app)))
      throw new ApiError('payment_not_payable', `A payment that is ${current.state} cannot be paid.`)
    return attemptChange(ctx, current, how)
  })
}

/** A new attempt: its operation's key is our reference at the provider. What an earlier one left is history. */
export function attemptChange(ctx: Context, payment: Payment, how: PayWith): Change {
  const { offer, payerIp, token, instrument } = how
  const { profileId } = offer.profile
  const key = newOperationKey(ctx.random)
  const attempt = payment.attempt + 1
  const opensPage = token === undefined && instrument === undefined
  return {
    events: opensPage ? [] : [{ on: 'pay' }],
    learnt: {
      attempt,
      attemptKey: key,
      profileId,
      method: offer.method,
      paymentMethodId: how.paymentMethodId ?? null,
      tokenId: how.tokenId ?? null,
      handles: null,
      payInfo: payerIp ? { payerIp } : null,
      redirectUrl: null,
      lastError: null,
    },
    opens: {
      key,
      step: token === undefined ? 'start' : 'charge',
      profileId,
      method: offer.method,
      amountMinor: payment.amountMinor,
      attempt,
    },
  }
}

/** The link stops working. A payment somebody is working on is left alone; the alarm rings again. */
export async function expireLink(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  const applied = await apply(ctx, app, payment, (current) =>
    current.version === payment.version &&
    current.state === 'Created' &&
    linkExpired(current, appNow(ctx, app))
      ? { events: [{ on: 'expired' }] }
      : undefined,
  )
  return applied.payment
}
