import { itemsAt, matching, valueAt } from '../../kit/json.ts'
import type { Handles, Snapshot, StoredMethod, StoredRead } from '../../outcome.ts'
import { callApi, type PaypalCall, type PaypalContext } from '../api.ts'
import { readAs } from '../outcomes.ts'
import { walletOf } from '../snapshot.ts'
import { idAt, payerIn } from '../wire.ts'

/**
 * PayPal may store a wallet some seconds after the payment, and the order may never show its id. The
 * notification about it names PayPal's record of the customer, whose wallets can be listed. Each order that
 * stores a wallet has a record of its own, so more than one wallet tells nothing.
 */
export async function withWallet(ctx: PaypalContext, known: Handles, seen: Snapshot): Promise<Snapshot> {
  const { vaultCustomer } = known
  if (vaultCustomer === undefined || seen.facts.stored) return seen
  // The wallet is stored with the payment: what told of it is read again until the capture has ended.
  if (seen.stage !== 'authorised' && seen.stage !== 'captured') return { ...seen, isIncomplete: true }
  const read = readAs(await callApi(ctx, walletsRead(vaultCustomer)), walletsIn)
  const isGone = read.kind === 'not-done' && read.why === 'not-found'
  // No other read has the id of the record.
  if (read.kind !== 'read') return isGone ? seen : { ...seen, isIncomplete: true }
  const [stored, ...more] = read.value
  if (!stored || more.length > 0) return seen
  // Once it is stored, it is not looked for again.
  return { ...seen, handles: { ...seen.handles, vaultCustomer: undefined }, facts: { ...seen.facts, stored } }
}

/** A payment token of a wallet. Tokens of cards are of no use here: PayPal profiles take wallets only. */
export async function readStored(ctx: PaypalContext, token: string): Promise<StoredRead> {
  if (!isToken(token)) return { kind: 'not-done', why: 'unsupported' }
  const read = readAs(await callApi(ctx, tokenRead(token)), (body) => [walletIn(body)])
  if (read.kind === 'declined') return { kind: 'not-done', why: 'not-found', raw: read.raw }
  if (read.kind !== 'read') return read
  const [stored] = read.value
  return stored?.token === token ? { kind: 'stored', stored } : { kind: 'not-done', why: 'not-found' }
}

const isToken = matching(/^[0-9A-Za-z_-]{1,64}$/)

const tokenRead = (token: string): PaypalCall => ({
  method: 'GET',
  path: `/v3/vault/payment-tokens/${token}`,
  loggedPath: '/v3/vault/payment-tokens/…',
})

const walletsRead = (customer: string): PaypalCall => ({
  method: 'GET',
  path: `/v3/vault/payment-tokens?${new URLSearchParams({ customer_id: customer })}`,
})

function walletsIn(body: unknown) {
  return itemsAt(body, 'payment_tokens')?.flatMap((token) => walletIn(token) ?? [])
}

function walletIn(token: unknown): StoredMethod | undefined {
  const id = idAt(token, 'id')
  const isWallet = valueAt(token, 'payment_source', 'paypal') !== undefined
  return id === undefined || !isWallet ? undefined : walletOf(id, payerIn(token))
}
