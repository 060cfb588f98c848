import type { ApiOperation } from '../kit/simulator.ts'
import type { State } from './state.ts'

/** What a route is. */

export interface Answer {
  readonly status: number
  readonly body?: object
}

export interface Call {
  readonly state: State
  readonly body: Readonly<Record<string, unknown>>
  readonly query: URLSearchParams
  readonly id: string
  readonly key: string | undefined
  /** Armed for this request. */
  readonly refusal?: string
  readonly isDelayed: boolean
}

export interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly operation?: ApiOperation
  readonly check?: (value: unknown, path: string) => string[]
  readonly query?: readonly string[]
  run(call: Call): Answer
}

export const error = (status: number, errorCode: string, message: string): Answer => ({
  status,
  body: { status, errorCode, message, errorType: status === 401 ? 'security' : 'validation' },
})

export const at = (path: string): RegExp => new RegExp(`^${path}$`)
export const ID = '([A-Za-z0-9]+)'
