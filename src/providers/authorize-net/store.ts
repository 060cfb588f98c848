import { type Json, valueAt, wordAt } from '../kit/json.ts'
import type { Handles, NotDone, SetupOutcome, StoredRead, Unknown } from '../outcome.ts'
import type { MethodToStore } from '../port.ts'
import { deleteStored, readProfile, readStoredMethod, storeMethod } from './calls.ts'
import { type AuthorizeNetContext, call, callFor } from './exchange.ts'
import { cardOf } from './snapshot.ts'
import { paymentOf, storedIn } from './steps.ts'
import { idOf, isId, listOf, type TransactionDetails } from './wire.ts'

/** Stored methods: customer profiles made from a transaction that was paid. */

export async function storeAfterPayment(
  ctx: AuthorizeNetContext,
  toStore: MethodToStore,
  handles: Handles,
): Promise<SetupOutcome> {
  const paid = await paymentOf(ctx, toStore, handles, 'USD')
  if (paid.kind !== 'read') return paid
  if (!paid.value) return { kind: 'not-done', why: 'not-found' }
  const made = await call(ctx, storeMethod(toStore, paid.value.id))
  const profile = made.kind === 'read' ? made.value : await duplicateOf(ctx, made)
  if ('kind' in profile) return profile as NotDone | Unknown
  const customer = idOf(profile, 'customerProfileId')
  const [first] = listOf(profile, 'customerPaymentProfileIdList', 'numericString')
  const method = String(first ?? '')
  if (!customer || !isId(method)) return { kind: 'unknown', why: 'unreadable-reply' }
  return finishSetup(paid.value, `${customer}/${method}`)
}

function finishSetup({ payment }: TransactionDetails, token: string): SetupOutcome {
  const { kind, number, brand } = payment
  const last4 = number.slice(-4)
  if (kind === 'bank') {
    const shown = `Bank account •••• ${last4}`
    return { kind: 'stored', stored: { token, label: shown, method: 'ElectronicCheck' } }
  }
  const label = `${brand ?? 'Card'} •••• ${last4}`
  return { kind: 'stored', stored: { token, label, method: 'CreditCard', card: cardOf(number, brand) } }
}

/** An earlier request with the same key made the profile: the error names it. */
async function duplicateOf(
  ctx: AuthorizeNetContext,
  failed: NotDone | Unknown,
): Promise<Json | NotDone | Unknown> {
  const [, id] = /\bID (\d{1,20})\b/.exec(failed.raw?.message ?? '') ?? []
  if (failed.raw?.code !== 'E00039' || id === undefined) return failed
  const known = await callFor(ctx, readProfile(id), (body) => valueAt(body, 'profile') as Json | undefined)
  if (known.kind !== 'read') return known
  const [method] = listOf(known.value, 'paymentProfiles', 'paymentProfile')
  return { customerProfileId: id, customerPaymentProfileIdList: [idOf(method, 'customerPaymentProfileId')] }
}

/** A card has a month of expiry such as 2027-08; an account has none. */
export async function readStored(ctx: AuthorizeNetContext, token: string): Promise<StoredRead> {
  const wanted = storedIn(token)
  if (!wanted) return { kind: 'not-done', why: 'unsupported' }
  const read = await callFor(ctx, readStoredMethod(wanted), (body) => valueAt(body, 'paymentProfile'))
  if (read.kind !== 'read') return read as NotDone | Unknown
  const payment = valueAt(read.value, 'payment')
  const number = wordAt(payment, 'creditCard', 'cardNumber')
  const last4 = (number ?? wordAt(payment, 'bankAccount', 'accountNumber') ?? '').slice(-4)
  if (last4 === '') return { kind: 'not-done', why: 'not-found' }
  if (number === undefined)
    return {
      kind: 'stored',
      stored: { token, label: `Bank account •••• ${last4}`, method: 'ElectronicCheck' },
    }
  const brand = wordAt(payment, 'creditCard', 'cardType')
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(wordAt(payment, 'creditCard', 'expirationDate') ?? '') ?? []
  const expiry = month && year ? { expiryMonth: Number(month), expiryYear: Number(year) } : {}
  const card = { ...cardOf(number, brand), ...expiry }
  const label = `${brand ?? 'Card'} •••• ${last4}`
  return { kind: 'stored', stored: { token, label, method: 'CreditCard', card } }
}

export async function forget(
  ctx: AuthorizeNetContext,
  token: string,
): Promise<NotDone | Unknown | { kind: 'done' }> {
  const stored = storedIn(token)
  if (!stored) return { kind: 'not-done', why: 'unsupported' }
  const removed = await call(ctx, deleteStored(stored))
  const isGone = removed.kind === 'read' || (removed.kind === 'not-done' && removed.why === 'not-found')
  return isGone ? { kind: 'done' } : (removed as NotDone | Unknown)
}
