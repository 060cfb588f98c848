import { createDice, type Dice } from '../simulate/dice.ts'
import type { ApiDocument } from './document.ts'
import type { FuzzAnswer } from './wire/exchange.ts'
import type { FuzzRequest } from './wire/request.ts'

/** A merchant's app and its API key. */
export interface Shop {
  readonly appId: string
  readonly apiKey: string
}

export interface Merchant {
  readonly sandbox: Shop
  readonly live: Shop
  readonly licenseId: string
  readonly authorizationCode: string
  /** The id of the key in use: no request may revoke it. */
  readonly keyId: string
}

/** A request with its origin, for the checks of the response. */
export interface Sent {
  readonly request: FuzzRequest
  /** The operation of the request; undefined for pages and for invalid paths or methods. */
  readonly operationId?: string
  /** The origin of the request: an operation id, or the name of a story or page. */
  readonly what: string
}

/** Sends a request, checks the response and stores the ids in it. */
export type Send = (sent: Sent) => Promise<FuzzAnswer>

/** Ids from earlier responses, by member name. */
interface Known {
  add(name: string, value: string): void
  any(name: string, dice: Dice): string | undefined
}

export interface World {
  readonly dice: Dice
  readonly document: ApiDocument
  readonly known: Known
  /** A prefix that makes names unique to this run. */
  readonly mark: string
  readonly operatorToken: string
  /** The URL of the service. */
  readonly url: string
  /** The URL of a local webhook receiver; the last part of the path is the status of its response. */
  readonly hooks: string
  merchant: Merchant
  /** Another merchant, whose ids must not give access here. */
  otherMerchant: Merchant
  next(): number
}

const MAX_KNOWN = 40

function createKnown(): Known {
  const pools = new Map<string, string[]>()
  return {
    add(name, value) {
      const pool = pools.get(name) ?? []
      pools.set(name, pool)
      if (pool.includes(value)) return
      pool.push(value)
      if (pool.length > MAX_KNOWN) pool.shift()
    },
    any(name, dice) {
      const pool = pools.get(ALIASES[name] ?? name) ?? []
      return pool.length === 0 ? undefined : dice.pick(pool)
    },
  }
}

/** Parameters with another name in responses. */
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
  'endpointId',
  'paymentKey',
])

/** Collects the ids of a response. */
export function collectIds({ known, merchant }: World, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object') collectIds({ known, merchant } as World, member)
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
  const [merchant, otherMerchant] = merchants
  let count = 0
  return {
    ...rest,
    merchant,
    otherMerchant,
    dice: createDice(seed),
    known: createKnown(),
    mark: `f${seed}`,
    next: () => ++count,
  }
}

/** Creates a merchant with the operator token. */
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
