import type { Check } from '../kit/checks.ts'
import type { ApiOperation } from '../kit/simulator.ts'
import type { State } from './state.ts'

export interface Answer {
  readonly status: number
  readonly body: object
}

export interface Call {
  readonly state: State
  readonly body: Readonly<Record<string, unknown>>
  readonly query: URLSearchParams
  readonly id: string
  /** Armed for this request: the code of a decline. */
  readonly refusal?: string
  readonly isDelayed: boolean
}

export interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly operation?: ApiOperation
  /** Of the body. Absent: none is sent. */
  readonly check?: Check
  readonly query?: readonly string[]
  run(call: Call): Answer
}

export const ok = (body: object): Answer => ({ status: 200, body })

export const error = (status: number, code: string, detail = code): Answer => ({
  status,
  body: { errors: [{ category: categoryOf(status, code), code, detail }] },
})

function categoryOf(status: number, code: string): string {
  if (status === 429) return 'RATE_LIMIT_ERROR'
  if (status >= 500) return 'API_ERROR'
  if (status === 401 || status === 403) return 'AUTHENTICATION_ERROR'
  if (status === 402) return 'PAYMENT_METHOD_ERROR'
  return /REFUND/.test(code) ? 'REFUND_ERROR' : 'INVALID_REQUEST_ERROR'
}

export const missing = (what: string): Answer => error(404, 'NOT_FOUND', `${what} was not found.`)

export const at = (path: string): RegExp => new RegExp(`^/v2${path}$`)
export const ID = '([A-Za-z0-9_:%-]+)'
