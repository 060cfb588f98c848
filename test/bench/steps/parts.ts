import { sorted } from '../bench.ts'
import type { Span } from './spans.ts'

/** What a request waits for, from the spans of its trace. Pure. */

export const PARTS = {
  receive: 'receive and answer',
  authenticate: 'key and app',
  own: 'own code',
  read: 'read of the payment',
  write: 'write and commit',
  payer: 'payer at the bank',
  provider: 'provider call',
} as const

export type Part = keyof typeof PARTS

interface Piece {
  readonly part: Part
  readonly ms: number
}

export interface Request {
  /** One after the other. What the service does itself is one piece, although it runs between the others. */
  readonly pieces: readonly Piece[]
  /** From the begin of the first try of a webhook to the last answer, since the request began. */
  readonly webhooks?: { readonly from: number; readonly to: number }
}

const isWebhook = ({ name }: Span): boolean => /^(lane )?webhooks?[ .]/.test(name)

function partOf({ name }: Span): Part {
  if (name.startsWith('directory.')) return 'authenticate'
  if (/^lane payments\.(create|change)$/.test(name)) return 'write'
  if (/^(lane )?\w+\.\w+$/.test(name)) return 'read'
  return name === 'POST' ? 'payer' : 'provider'
}

const lasted = ({ start, end }: Span): number => end - start
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
const msOf = (pieces: readonly Piece[]): number => sum(pieces.map(({ ms }) => ms))

/**
 * Undefined: the trace is of another request. Spans begin at whole milliseconds; how long they last is exact.
 */
export function requestOf(spans: readonly Span[], name: string): Request | undefined {
  const childrenOf = ({ id }: Span) => spans.filter(({ parent }) => parent === id)
  const root = spans.find((span) => span.name === name)
  const [command, ...before] = root ? childrenOf(root).sort((one, other) => lasted(other) - lasted(one)) : []
  if (!root || !command) return undefined
  const outside = piecesOf(before)
  const inside = piecesOf(childrenOf(command))
  const below = [...before, ...childrenOf(command)]
  const tries = below.filter((span) => span.name.startsWith('webhook '))
  const sent = tries.flatMap((span) => childrenOf(span).filter((each) => each.name === 'POST'))
  const from = Math.min(...tries.map(({ start }) => start)) - root.start
  const to = Math.max(...sent.map(({ end }) => end)) - root.start
  const pieces = [
    { part: 'receive', ms: lasted(root) - lasted(command) - msOf(outside) },
    ...outside,
    { part: 'own', ms: lasted(command) - msOf(inside) },
    ...inside,
  ] as const
  return { pieces, ...(sent.length > 0 && { webhooks: { from, to } }) }
}

/** What is waited for, one after the other. */
const piecesOf = (spans: readonly Span[]): Piece[] =>
  spans
    .filter((span) => !isWebhook(span))
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map((span) => ({ part: partOf(span), ms: lasted(span) }))

export const totalOf = ({ pieces }: Request): number => msOf(pieces)

/**
 * The mean of the requests in the middle: of those with the most frequent order of pieces, the half between
 * the fastest and the slowest quarter. So the pieces add up, and a pause of the machine is left out.
 */
export function typicalOf(requests: readonly Request[]): Request | undefined {
  const shapes = new Map<string, Request[]>()
  for (const request of requests) {
    const shape = request.pieces.map(({ part }) => part).join()
    shapes.set(shape, [...(shapes.get(shape) ?? []), request])
  }
  const [alike = []] = [...shapes.values()].sort((one, other) => other.length - one.length)
  const times = sorted(alike.map(totalOf))
  const [least = 0, most = 0] = [0.25, 0.75].map((part) => times[Math.floor((times.length - 1) * part)])
  const middle = alike.filter((each) => totalOf(each) >= least && totalOf(each) <= most)
  const [first] = middle
  const mean = (read: (request: Request) => number) => sum(middle.map(read)) / middle.length
  const told = middle.flatMap(({ webhooks }) => webhooks ?? [])
  return (
    first && {
      pieces: first.pieces.map(({ part }, n) => ({ part, ms: mean(({ pieces }) => pieces[n]?.ms ?? 0) })),
      ...(told.length > 0 && {
        webhooks: {
          from: sum(told.map(({ from }) => from)) / told.length,
          to: sum(told.map(({ to }) => to)) / told.length,
        },
      }),
    }
  )
}

/** The time of each part, of several requests together. */
export function partsOf(requests: readonly Request[]): Record<Part, number> {
  const pieces = requests.flatMap((request) => request.pieces)
  const names = Object.keys(PARTS) as Part[]
  return Object.fromEntries(
    names.map((part) => [part, msOf(pieces.filter((piece) => piece.part === part))]),
  ) as Record<Part, number>
}
