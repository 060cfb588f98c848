import type { Check } from '../kit/checks.ts'
import type { ApiOperation } from '../kit/simulator.ts'
import type { State } from './state.ts'

export interface Answer {
  readonly status: number
  readonly body?: object
}

interface Call {
  readonly state: State
  /** As `check` accepted it. */
  readonly body: Readonly<Record<string, unknown>>
  readonly query: URLSearchParams
  /** The groups of the pattern. */
  readonly ids: readonly string[]
  readonly key: string | undefined
  /** Armed for this request: the provider's decline code. */
  readonly refusal?: string
  /** Armed for this request: it is decided later. */
  readonly isDelayed: boolean
}

export interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly operation?: ApiOperation
  /** Refuses unknown members and wrong types. Absent: no body. */
  readonly check?: Check
  run(call: Call): Answer
}

/** An error in the provider's own form. */
export const error = (status: number, message: string): Answer => ({ status, body: { message } })

/**
 * Every request of the provider's API that the adapter sends, as the provider documents it:
 *
 *     {
 *       method: 'POST',
 *       pattern: /^\/v1\/payments$/,
 *       operation: 'start',
 *       check: object({ required: { amount: integerFrom(1), currency: text({ of: ['EUR', 'USD'] }) } }),
 *       run: openPage,
 *     }
 */
export const ROUTES: readonly Route[] = []
