import type { Sum } from './sums-store.ts'
import type { VisitSum } from './visits-store.ts'

/** Payments of the hosted page, by how far their payers came. The other flows have no page of ours. */
export interface Funnel {
  readonly created: number
  readonly opened: number
  /** A method was chosen. */
  readonly method: number
  readonly submitted: number
  readonly paid: number
}

export function funnelOf(sums: readonly Sum[], { opened, chosen }: VisitSum): Funnel {
  const hosted = sums.filter(({ of, flow }) => of === 'flow' && flow === 'HostedPage')
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
  return {
    created: total(hosted.map(({ payments }) => payments)),
    opened,
    method: chosen,
    submitted: total(hosted.map(({ submitted }) => submitted)),
    paid: total(hosted.map(({ outcome, payments }) => (outcome === 'paid' ? payments : 0))),
  }
}
