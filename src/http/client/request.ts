import type { Actor } from '../../base/actor.ts'
import { networkOf } from '../../base/addresses.ts'
import type { HeldPlace } from '../content/held-place.ts'

/** State of a request beside its content. */
export interface RequestState {
  startedMs: number
  /** The client's address, as it is recorded. */
  address: string
  /** The same for rate limits: an IPv6 client has many addresses. */
  network: string
  scope: string | undefined
  caller: unknown
  keyId: string | undefined
  actor: Actor | undefined
  /** What the route returned before the body was read. */
  entered: unknown
  rawBody: Buffer
  /** Of a large body. */
  place: HeldPlace | undefined
  /** The text that was sent, kept for the log of the app. */
  answer: string | undefined
}

const NO_BYTES = Buffer.alloc(0)

export const newState = (startedMs: number, address: string): RequestState => ({
  startedMs,
  address,
  network: networkOf(address),
  scope: undefined,
  caller: undefined,
  keyId: undefined,
  actor: undefined,
  entered: undefined,
  rawBody: NO_BYTES,
  place: undefined,
  answer: undefined,
})

/** HSTS, without subdomains, which may belong to another owner. */
export const secureHeaders = (publicUrl: string): Readonly<Record<string, string>> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
