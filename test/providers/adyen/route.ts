import type { Answer, GateCall, GateRoute } from '../kit/gate.ts'
import type { State } from './state.ts'

export type { Answer } from '../kit/gate.ts'
export type Call = GateCall<State>
export type Route = GateRoute<State>

export const error = (status: number, errorCode: string, message: string): Answer => ({
  status,
  body: { status, errorCode, message, errorType: status === 401 ? 'security' : 'validation' },
})

export const at = (path: string): RegExp => new RegExp(`^${path}$`)
export const ID = '([A-Za-z0-9]+)'
