import { newPaymentKey } from '../../src/base/ids.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { paymentIds } from '../../src/payments/payment-ids.ts'
import type { TestContext } from './context.ts'

export const NOW = new Date('2026-11-15T12:00:00Z')

/** A payment as it is right after its creation, for rules that need no database. */
export const newPayment = (more: Partial<Payment> = {}): Payment => ({
  appId: 'app_000000000000',
  paymentId: 10_001,
  version: 1,
  sequence: 1,
  state: 'Created',
  flow: 'HostedPage',
  referenceId: 'INV 7/8',
  paymentKey: 'k',
  amountMinor: 1000n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  currency: 'EUR',
  autoCapture: true,
  autoPayment: 'None',
  fraudStatus: 'Unknown',
  customerId: 'dana',
  returnUrl: 'https://shop.example/back',
  webhookUrl: null,
  createdTime: NOW,
  stateTime: NOW,
  expirationTime: null,
  details: { customerOrder: {} },
  attempt: 0,
  attemptKey: null,
  profileId: null,
  method: null,
  paymentMethodId: null,
  tokenId: null,
  handles: null,
  payInfo: null,
  authorisedUntil: null,
  redirectUrl: null,
  failure: null,
  lastError: null,
  ...more,
})

/** The same in an app of this context, ready to be written. */
export async function draftPayment(
  ctx: TestContext,
  appId: string,
  more: Partial<Payment> = {},
): Promise<Payment> {
  const now = ctx.clock.now()
  const paymentId = await paymentIds(ctx).next()
  return newPayment({
    ...{ appId, paymentId, paymentKey: newPaymentKey(ctx.random, appId), version: 0 },
    ...{ referenceId: `order ${paymentId}`, returnUrl: null, createdTime: now, stateTime: now },
    ...more,
  })
}
