import { ApiError } from '../../base/errors.ts'
import { newOperationKey } from '../../base/ids.ts'
import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import type { Change } from '../changes.ts'
import type { Failure, Payment } from '../payment.ts'
import type { PayWith } from '../provider/start-attempt.ts'
import { forbidden } from './rules.ts'
import { readTries, removeTry, writeTry } from './store.ts'

type Charged = Pick<Payment, 'customerId' | 'currency' | 'amountMinor' | 'flow'>

/** How the attempt goes on, or why the networks forbid it. */
export type Reserved = { readonly how: PayWith } | { readonly failure: Failure }

/** More lost races in a row than any number of nodes can cause for one card. */
const MAX_RACES = 50

/**
 * Writes the next charge of a stored method before it starts, under the key of its operation. A charge
 * without the customer is refused if the networks forbid it. Of parallel charges of one card each sees the
 * one before. Other attempts pass unchanged, without a query. Decision 0179.
 */
export async function reserveTry(ctx: Context, app: App, payment: Charged, how: PayWith): Promise<Reserved> {
  const { stored } = how
  if (!stored) return { how }
  const operationKey = newOperationKey(ctx.random)
  const { currency, amountMinor } = payment
  const now = appNow(ctx, app)
  const card = cardOf(app, payment, how)
  const isGuarded = app.retryGuard && payment.flow === 'AutoPayment'
  const one = { card, operationKey, currency, amountMinor, time: now }
  if (!isGuarded) {
    await writeTry(ctx.db, app.appId, { ...one, version: null })
    return { how: { ...how, operationKey } }
  }
  for (let race = 0; race < MAX_RACES; race++) {
    const { version, tries } = await readTries(ctx.db, app.appId, card)
    const { kind, card: facts, cardChangedTime: changedTime } = stored
    const wanted = { kind, brand: facts?.brand, currency, amountMinor, now, changedTime }
    const failure = forbidden(tries, wanted)
    if (failure) return { failure }
    if (await writeTry(ctx.db, app.appId, { ...one, version })) return { how: { ...how, operationKey } }
  }
  throw new ApiError('unavailable', 'Too many charges of this card at once. Try again.')
}

/** The attempt was not written. If a crash loses this, the try counts until it is old. */
export async function releaseTry(ctx: Context, app: App, { operationKey }: PayWith): Promise<void> {
  if (operationKey !== undefined) await removeTry(ctx.db, app.appId, operationKey)
}

/**
 * Names a card at its provider: by the provider's fingerprint, else by the stored method. Customers of a
 * sandbox share the test cards, so the customer is part of the name there.
 */
function cardOf(app: App, { customerId }: Charged, { stored, tokenId }: PayWith): string {
  const name = stored?.fingerprint ?? `token:${tokenId}`
  return sha256(app.isSandbox ? `${customerId} ${name}` : name)
    .toString('hex')
    .slice(0, 32)
}

/** Ends a payment before any provider is called. Repeated requests are compared with its stored method. */
export const forbiddenChange = (failure: Failure, { paymentMethodId, tokenId }: PayWith): Change => ({
  events: [{ on: 'declined', failure }],
  updates: { paymentMethodId: paymentMethodId ?? null, tokenId: tokenId ?? null },
})
