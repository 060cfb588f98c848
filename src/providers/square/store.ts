import { type Json, listAt, textAt } from '../kit/json.ts'
import { unsupported } from '../kit/reply.ts'
import type { Handles, NotDone, SetupOutcome, StoredMethod, StoredRead, Unknown } from '../outcome.ts'
import type { MethodToStore } from '../port.ts'
import {
  createCard,
  createCustomer,
  disableCard,
  readCard,
  type StoredCard,
  searchCustomers,
} from './calls.ts'
import { call, callFor, plain, type SquareContext } from './exchange.ts'
import { cardIn } from './facts.ts'
import { isId } from './wire.ts'

/** Stored cards: made from a payment, for the entry of the customer in the merchant's directory. */

export async function storeAfterPayment(
  ctx: SquareContext,
  toStore: MethodToStore,
  { payment }: Handles,
): Promise<SetupOutcome> {
  if (!isId(payment)) return { kind: 'not-done', why: 'not-found' }
  const customerId = (await knownCustomer(ctx, toStore)) ?? (await newCustomer(ctx, toStore))
  if (typeof customerId !== 'string') return customerId
  const card = await callFor(ctx, createCard(toStore, payment, customerId), 'card')
  return card.kind === 'object' ? finishSetup(customerId, card.object) : card
}

/** The customer's entry in the merchant's directory, if there is one. */
async function knownCustomer(ctx: SquareContext, { customer }: MethodToStore): Promise<string | undefined> {
  const read = await call(ctx, searchCustomers(customer.id))
  const [found] = read.kind === 'object' ? listAt(read.object, 'customers') : []
  const id = textAt(found, 'id')
  return isId(id) ? id : undefined
}

async function newCustomer(ctx: SquareContext, toStore: MethodToStore): Promise<string | SetupOutcome> {
  const made = await callFor(ctx, createCustomer(toStore), 'customer')
  if (made.kind !== 'object') return made
  const id = textAt(made.object, 'id')
  return isId(id) ? id : { kind: 'unknown', why: 'unreadable-reply' }
}

function finishSetup(customer: string, made: Json): SetupOutcome {
  const id = textAt(made, 'id')
  const owner = textAt(made, 'customer_id') ?? customer
  if (!isId(id) || owner !== customer) return { kind: 'unknown', why: 'unreadable-reply' }
  return { kind: 'stored', stored: methodOf({ customer, card: id }, made) }
}

function methodOf({ customer, card: id }: StoredCard, found: Json): StoredMethod {
  const card = cardIn(found) ?? {}
  const fingerprint = textAt(found, 'fingerprint')
  const digits = card.last4 ? ` •••• ${card.last4}` : ''
  return {
    token: `${customer}/${id}`,
    label: `${card.brand ?? 'Card'}${digits}`,
    method: 'CreditCard',
    ...(fingerprint ? { fingerprint } : {}),
    card,
  }
}

export function storedCard(token: string): StoredCard | undefined {
  const [customer, card, ...more] = token.split('/')
  return isId(customer) && isId(card) && more.length === 0 ? { customer, card } : undefined
}

export async function forget(
  ctx: SquareContext,
  token: string,
): Promise<NotDone | Unknown | { kind: 'done' }> {
  const stored = storedCard(token)
  if (!stored) return unsupported('The stored method is not one of Square.')
  const disabled = await call(ctx, disableCard(stored.card))
  // It may have been removed before.
  const isGone = disabled.kind === 'object' || (disabled.kind === 'not-done' && disabled.why === 'not-found')
  return isGone ? { kind: 'done' } : plain(disabled)
}

export async function readStored(ctx: SquareContext, token: string): Promise<StoredRead> {
  const stored = storedCard(token)
  if (!stored) return unsupported('The stored method is not one of Square.')
  const read = await callFor(ctx, readCard(stored.card), 'card')
  if (read.kind !== 'object') return plain(read)
  const { object: found } = read
  const isOwn = textAt(found, 'customer_id') === stored.customer && found.enabled !== false
  return isOwn && cardIn(found)
    ? { kind: 'stored', stored: methodOf(stored, found) }
    : { kind: 'not-done', why: 'not-found' }
}
