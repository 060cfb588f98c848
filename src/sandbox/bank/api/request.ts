import { sha256 } from '../../../base/secret.ts'
import type { BankAnswer } from '../answer.ts'
import type { BankContext } from '../context.ts'
import { badRequest } from '../rules/refused.ts'
import type { Body } from './read.ts'

/** An authenticated request to the bank. */
export interface BankRequest {
  readonly account: string
  readonly path: string
  readonly query: URLSearchParams
  /** The second part of the path, decoded: an id, a token or a session. */
  readonly id: string
  readonly key: string | undefined
  readonly rawBody: string
  readonly body: Body
}

export type Handler = (bank: BankContext, request: BankRequest) => Promise<BankAnswer>

/** Calls that can move money require an idempotency key, so that they can be retried safely. */
export function keyed({ key, path, rawBody }: BankRequest): { key: string; fingerprint: string } {
  if (!key || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw badRequest('The header Idempotency-Key is required: 1 to 255 visible characters.')
  return { key, fingerprint: Buffer.from(sha256(`${path}\n${rawBody}`)).toString('base64url') }
}
