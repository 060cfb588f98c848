import { networkOf } from '../../base/addresses.ts'

/** What the server knows of a request beside its text. */
export interface RequestState {
  startedMs: number
  /** The client's, as it is recorded. */
  address: string
  /** The same for limits: an IPv6 client has many addresses. */
  network: string
  scope: string | undefined
  caller: unknown
  keyId: string | undefined
  rawBody: Buffer
}

const NO_BYTES = Buffer.alloc(0)

export const newState = (startedMs: number, address: string): RequestState => ({
  startedMs,
  address,
  network: networkOf(address),
  scope: undefined,
  caller: undefined,
  keyId: undefined,
  rawBody: NO_BYTES,
})

/** Browsers come back by https only. Not for subdomains, which may be somebody else's. */
export const secureHeaders = (publicUrl: string): Readonly<Record<string, string>> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
