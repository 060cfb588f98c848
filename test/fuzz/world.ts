import { createDice, type Dice } from '../simulate/dice.ts'
import type { ApiDocument } from './document.ts'
import type { FuzzAnswer } from './wire/exchange.ts'
import type { FuzzRequest } from './wire/request.ts'

/** A merchant's app and what opens it. */
export interface Shop {
  readonly appId: string
  readonly apiKey: string
}

export interface Merchant {
  readonly sandbox: Shop
  readonly live: Shop
  readonly licenseId: string
  readonly authorizationCode: string
  /** Of the key that requests are made with: no request may revoke it. */
  readonly keyId: string
}

/** What a request is about, for the checks of its answer. */
export interface Sent {
  readonly request: FuzzRequest
  /** The operation that the request belongs to; undefined for pages and for paths or methods made up. */
  readonly operationId?: string
  /** Where the request came from: an operation's id, or the name of a story or page. */
  readonly what: string
}

/** Sends a request, checks the answer and remembers what it shows. */
export type Send = (sent: Sent) => Promise<FuzzAnswer>

/** Ids that answers have shown, by the name of the member that held them. */
interface Known {
  add(name: string, value: string): void
  any(name: string, dice: Dice): string | undefined
}

export interface World {
  readonly dice: Dice
  readonly document: ApiDocument
  readonly known: Known
  /** Of this run: no name made of it was used before. */
  readonly mark: string
  readonly operatorToken: string
  /** The service. */
  readonly url: string
  /** A server on this machine that takes webhooks; the last part of its path is the status it answers. */
  readonly hooks: string
  merchant: Merchant
  /** Another merchant, whose ids must not open anything here. */
  stranger: Merchant
  next(): number
}

const MOST_KNOWN = 40

function createKnown(): Known {
  const pools = new Map<string, string[]>()
  return {
    add(name, value) {
      const pool = pools.get(name) ?? []
      pools.set(name, pool)
      if (pool.includes(value)) return
      pool.push(value)
      if (pool.length > MOST_KNOWN) pool.shift()
    },
    any(name, dice) {
      const pool = pools.get(ALIASES[name] ?? name) ?? []
      return pool.length === 0 ? undefined : dice.pick(pool)
    },
  }
}

/** Parameters that are called otherwise in answers. */
const ALIASES: Readonly<Record<string, string>> = {
  customerAutomaticProfileId: 'paymentMethodProviderProfileId',
  profileId: 'paymentProfileId',
}

const IDS: ReadonlySet<string> = new Set([
  'paymentId',
  'referenceId',
  'customerId',
  'paymentMethodId',
  'paymentMethodProviderProfileId',
  'paymentProfileId',
  'profileId',
  'fraudPolicyId',
  'keyId',
  'eventId',
  'paymentKey',
])

/** Takes the ids out of an answer. */
export function learn({ known, merchant }: World, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object') learn({ known, merchant } as World, member)
    else if (IDS.has(name) && member !== '' && member !== merchant.keyId)
      known.add(ALIASES[name] ?? name, String(member))
  }
}

export interface WorldOptions {
  readonly seed: number
  readonly document: ApiDocument
  readonly operatorToken: string
  readonly hooks: string
  readonly url: string
  readonly merchants: readonly [Merchant, Merchant]
}

export function createWorld({ seed, merchants, ...rest }: WorldOptions): World {
  const [merchant, stranger] = merchants
  let count = 0
  return {
    ...rest,
    merchant,
    stranger,
    dice: createDice(seed),
    known: createKnown(),
    mark: `f${seed}`,
    next: () => ++count,
  }
}

/** Makes a merchant by the operator's token. */
export async function newMerchant(url: string, operatorToken: string): Promise<Merchant> {
  const reply = await fetch(`${url}/api/licenses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${operatorToken}` },
    body: JSON.stringify({ licenseName: 'Fuzz' }),
  })
  const { apps, ...license } = (await reply.json()) as { apps: [Shop, Shop] } & Merchant
  const [sandbox, live] = apps
  const headers = { authorization: `Bearer ${sandbox.apiKey}` }
  const keys = await fetch(`${url}/api/apps/${sandbox.appId}/api-keys`, { headers })
  const [{ keyId } = { keyId: '' }] = (await keys.json()) as { keyId: string }[]
  const { licenseId, authorizationCode } = license
  return { sandbox, live, licenseId, authorizationCode, keyId }
}
