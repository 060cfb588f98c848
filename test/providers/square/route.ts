import type { Answer, GateCall, GateRoute } from '../kit/gate.ts'
import type { State } from './state.ts'

export type { Answer } from '../kit/gate.ts'
export type Call = GateCall<State>
export type Route = GateRoute<State>

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
