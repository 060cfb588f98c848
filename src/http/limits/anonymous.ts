import type { Clock } from '../../base/clock.ts'
import { createRateLimiter, type RatePolicy } from './rate-limit.ts'

/**
 * What one address may ask of routes that need no key, in groups that do not use up each other's share. They
 * protect this process and are counted by it alone: none of these routes costs more than a short read.
 */
const GROUPS = {
  // Load balancers and monitoring ask from few addresses; a refusal would count as a failure of the node.
  health: { perSecond: 1_000, burst: 5_000 },
  // A page needs three, and browsers keep them: also a company behind one address stays below.
  assets: { perSecond: 2_000, burst: 10_000 },
  // Documentation, its OpenAPI document, lists without a key, and paths that do not exist.
  other: { perSecond: 100, burst: 1_000 },
} as const satisfies Record<string, Omit<RatePolicy, 'name'>>

type Group = keyof typeof GROUPS

/** Takes one request of this address to this path; throws 429. */
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
