import type { ApiOperation } from '../kit/simulator.ts'
import { missing } from './wire/errors.ts'
import type { Members, TypedHash } from './wire/params.ts'
import type { State } from './world/state.ts'
import type { Json } from './world/view-money.ts'

export interface Call {
  readonly state: State
  readonly id: string
  readonly params: TypedHash
  readonly key: string | undefined
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `:id` stands for one id. */
  readonly path: string
  readonly operation?: ApiOperation
  readonly schema: Members
  /** A request without an idempotency key could move money or create an object twice. */
  readonly needsKey?: boolean
  handle(call: Call): Json
}

export const textOf = (value: unknown): string | null => (value === undefined ? null : String(value))

export function found<T>(map: ReadonlyMap<string, T>, kind: string, id: string, param?: string): T {
  const object = map.get(id)
  if (object === undefined) throw missing(kind, id, param)
  return object
}
