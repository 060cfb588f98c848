import { broken } from './wire/errors.ts'
import type { State } from './world/state.ts'
import { viewById } from './world/view.ts'
import type { Json } from './world/view-money.ts'

/** Members that hold an id and can be replaced by the object. */
const EXPANDABLE: Readonly<Record<string, readonly string[]>> = {
  payment_intent: ['latest_charge', 'payment_method', 'customer'],
  charge: ['balance_transaction', 'payment_intent', 'customer', 'failure_balance_transaction'],
  'checkout.session': ['payment_intent', 'setup_intent', 'customer'],
  setup_intent: ['payment_method', 'customer'],
  refund: ['charge', 'payment_intent', 'balance_transaction'],
  payment_method: ['customer'],
  balance_transaction: ['source'],
}

export function expanded(state: State, object: Json, paths: readonly string[]): Json {
  for (const path of paths) {
    const parts = path.split('.')
    if (parts.length > 4) throw broken(`You cannot expand more than 4 levels: ${path}`)
    expandPath(state, object, parts, path)
  }
  return object
}

function expandPath(state: State, object: Json, [name = '', ...rest]: readonly string[], path: string): void {
  if (object.object === 'list' && name === 'data') {
    for (const item of object.data as Json[]) expandPath(state, item, rest, path)
    return
  }
  if (!EXPANDABLE[String(object.object)]?.includes(name))
    throw broken(`This property cannot be expanded (${path}).`, undefined, 'expand')
  const value = object[name]
  if (typeof value === 'string') object[name] = viewById(state, value) ?? value
  const next = object[name]
  if (rest.length > 0 && typeof next === 'object' && next !== null)
    expandPath(state, next as Json, rest, path)
}

interface Paged {
  readonly url: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Newest first, as every list of the API. */
export function listOf(objects: readonly Json[], { url, params }: Paged): Json {
  const range = params.created as Record<string, number> | number | undefined
  const matching = objects.filter((object) => inRange(Number(object.created), range)).reverse()
  const after = params.starting_after
  const start = after ? matching.findIndex(({ id }) => id === after) + 1 : 0
  const limit = Number(params.limit ?? 10)
  const data = matching.slice(start, start + limit)
  return { object: 'list', data, has_more: matching.length > start + limit, url }
}

function inRange(created: number, range: Record<string, number> | number | undefined): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return created > gt && created >= gte && created < lt && created <= lte
}
