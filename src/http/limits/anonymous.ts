import type { Clock } from '../../base/clock.ts'
import { createRateLimiter, type RatePolicy } from './rate-limit.ts'

/**
 * Limits for one address on routes without a key, in groups with separate buckets. Not shared between
 * processes: each of these routes costs at most a short read.
 */
const GROUPS = {
  // Load balancers and monitoring call from few addresses and count a 429 as a failed node.
  health: { perSecond: 1_000, burst: 5_000 },
  // A page needs three and browsers cache them, so a company behind one address stays below the limit.
  assets: { perSecond: 2_000, burst: 10_000 },
  // Documentation, the OpenAPI document, lists without a key, and unknown paths.
  other: { perSecond: 100, burst: 1_000 },
} as const satisfies Record<string, Omit<RatePolicy, 'name'>>

type Group = keyof typeof GROUPS

/** Counts one request; throws 429. */
export type AnonymousLimit = (template: string | undefined, network: string) => void

export function createAnonymousLimit(clock: Clock): AnonymousLimit {
  const limiterOf = (name: Group) => createRateLimiter(clock, { ...GROUPS[name], name })
  const limiters = { health: limiterOf('health'), assets: limiterOf('assets'), other: limiterOf('other') }
  return (template, network) => void limiters[groupOf(template ?? '')].take(network)
}

function groupOf(template: string): Group {
  if (template.startsWith('/health/')) return 'health'
  return template.startsWith('/assets/') ? 'assets' : 'other'
}
