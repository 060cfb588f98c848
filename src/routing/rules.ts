import { currencyDigits } from '../base/currencies.ts'
import type { Diagnosis } from '../merchants/profiles/diagnosis.ts'
import type { RoutingConfig, RoutingRule } from '../merchants/routing-config.ts'
import type { RankReason } from './reasons.ts'

/** Ranks provider profiles for a payment, with reasons. Pure. */

export const NO_ROUTING: RoutingConfig = { defaults: [], routes: [] }

export interface Candidate {
  readonly profileId: number
  readonly method: string
  /** It cannot be asked what the payment asks of 3-D Secure. Absent: nothing is asked of it. */
  readonly lacksThreeDSecure?: boolean
}

/** Facts about the payment. A condition on an unknown fact does not match. */
export interface RoutingFacts {
  readonly currency: string
  readonly amountMinor?: bigint | undefined
  readonly country?: string | undefined
  readonly brand?: string | undefined
  /** Profiles that have declined this payment although another may take it. */
  readonly declinedBy?: readonly number[] | undefined
  /** Seed of the weighted draw: the same seed gives the same order. */
  readonly seed?: string | undefined
}

/** The problem of a profile; undefined when it is healthy. */
export type TroubleLookup = (profileId: number) => Diagnosis | undefined

export interface Ranked<C extends Candidate> {
  readonly candidate: C
  readonly reasons: readonly RankReason[]
}

interface RankedAt<C extends Candidate> extends Ranked<C> {
  readonly place: readonly number[]
}

/** Ranks candidates, best first. Their input order breaks ties. */
export function rank<C extends Candidate>(
  candidates: readonly C[],
  config: RoutingConfig,
  facts: RoutingFacts,
  trouble: TroubleLookup,
): Ranked<C>[] {
  const ranked = candidates
    .map((candidate, index) => rankOne(candidate, index, { config, facts, trouble }))
    .sort((a, b) => compare(a.place, b.place))
  return ableFirst(ranked).map(({ candidate, reasons }) => ({ candidate, reasons }))
}

/** Among the places of those that 3-D Secure is asked of, equally healthy ones that can come first. */
function ableFirst<C extends Candidate>(ranked: readonly RankedAt<C>[]): readonly RankedAt<C>[] {
  const isAsked = ({ candidate }: RankedAt<C>) => candidate.lacksThreeDSecure !== undefined
  const placeOf = ({ candidate, place: [health = 0] }: RankedAt<C>) => [
    health,
    Number(candidate.lacksThreeDSecure),
  ]
  const asked = ranked.filter(isAsked).sort((a, b) => compare(placeOf(a), placeOf(b)))
  return ranked.map((one) => (isAsked(one) ? (asked.shift() ?? one) : one))
}

interface RankContext {
  readonly config: RoutingConfig
  readonly facts: RoutingFacts
  readonly trouble: TroubleLookup
}

function rankOne<C extends Candidate>(candidate: C, index: number, context: RankContext): RankedAt<C> {
  const { config, facts, trouble } = context
  const problem = trouble(candidate.profileId)
  const lacks = candidate.lacksThreeDSecure === true
  const behind: RankReason[] = [
    ...(lacks ? [{ kind: 'three-d-secure' } as const] : []),
    ...(problem === undefined ? [] : [{ kind: 'trouble', diagnosis: problem } as const]),
  ]
  const hasDeclined = facts.declinedBy?.includes(candidate.profileId) ?? false
  // A profile that declined is better than one that fails.
  const healthRank = problem === undefined ? Number(hasDeclined) : 2
  const found = ruleMatch(candidate, config, facts)
  if (found)
    return { candidate, place: [healthRank, 0, ...found.place, index], reasons: [found.reason, ...behind] }
  const isDefault = config.defaults.some(
    ({ currency, profileId }) => currency === facts.currency && profileId === candidate.profileId,
  )
  const reason: RankReason = isDefault ? { kind: 'default', currency: facts.currency } : { kind: 'unnamed' }
  return { candidate, place: [healthRank, isDefault ? 1 : 2, index], reasons: [reason, ...behind] }
}

/** The route whose conditions the payment meets first, whether or not it names the profile. */
export const routeFor = (
  candidate: Candidate,
  { routes }: RoutingConfig,
  facts: RoutingFacts,
): RoutingRule | undefined => routes.find((route) => matches(route, candidate, facts))

/** The place of the route whose conditions the payment meets first and that names the profile; -1: none. */
export function routeOf(candidate: Candidate, { routes }: RoutingConfig, facts: RoutingFacts): number {
  const place = routes.findIndex((route) => matches(route, candidate, facts))
  return routes[place]?.profiles.some(({ profileId }) => profileId === candidate.profileId) ? place : -1
}

function ruleMatch(candidate: Candidate, config: RoutingConfig, facts: RoutingFacts) {
  const place = routeOf(candidate, config, facts)
  const route = config.routes[place]
  if (!route) return undefined
  const position = profileOrder(route, facts.seed ?? '').indexOf(candidate.profileId)
  const { weight = null } = route.profiles.find(({ profileId }) => profileId === candidate.profileId) ?? {}
  const { name, threeDSecure } = route
  const reason: RankReason = {
    ...{ kind: 'route', route: place + 1, place: position + 1, name, weight },
    ...(threeDSecure && candidate.method === 'CreditCard' ? { threeDSecure } : {}),
  }
  return { place: [place, position], reason }
}

function matches(route: RoutingRule, { method }: Candidate, facts: RoutingFacts): boolean {
  const { currency, amountMinor, country, brand } = facts
  return (
    (route.currency === null || route.currency === currency) &&
    (route.method === null || route.method === method) &&
    amountFits(route, amountMinor, currency) &&
    (route.countries === null || (country !== undefined && route.countries.includes(country))) &&
    (route.brands === null || route.brands.some((one) => one.toLowerCase() === brand?.toLowerCase()))
  )
}

function amountFits(
  { minAmount, maxAmount }: RoutingRule,
  minor: bigint | undefined,
  currency: string,
): boolean {
  if (minAmount === null && maxAmount === null) return true
  if (minor === undefined) return false
  const hundredths = minor * 100n
  const scale = 10n ** BigInt(currencyDigits(currency))
  const atLeast = minAmount === null || hundredths >= BigInt(Math.round(minAmount * 100)) * scale
  const atMost = maxAmount === null || hundredths <= BigInt(Math.round(maxAmount * 100)) * scale
  return atLeast && atMost
}

/** The profiles of a rule in order. Weighted ones are drawn with the seed and fill the weighted positions. */
export function profileOrder({ profiles }: RoutingRule, seed: string): number[] {
  const weighted = profiles.filter(({ weight }) => weight !== null)
  let state = hash(seed)
  const order: number[] = []
  while (weighted.length > 0) {
    state = scramble(state)
    const total = weighted.reduce((sum, { weight }) => sum + (weight ?? 0), 0)
    let left = (state / 0x1_0000_0000) * total
    const index = weighted.findIndex(({ weight }) => {
      left -= weight ?? 0
      return left < 0
    })
    const [taken] = weighted.splice(Math.max(0, index), 1)
    if (taken) order.push(taken.profileId)
  }
  return profiles.map(({ profileId, weight }) => (weight === null ? profileId : (order.shift() ?? profileId)))
}

/**
 * The part of such payments that each candidate takes first, where several share the first place by weight;
 * undefined for the others. Those that cannot take the payment have left their part to the rest.
 */
export function sharesOf(ranked: readonly Ranked<Candidate>[]): (number | undefined)[] {
  const weightOf = ({ candidate: { method }, reasons: [reason, ...health] }: Ranked<Candidate>) =>
    reason?.kind === 'route' && reason.weight !== null && health.length === 0
      ? { group: `${reason.route} ${method}`, weight: reason.weight }
      : undefined
  const firstOf = (method: string) => ranked.find(({ candidate }) => candidate.method === method)
  return ranked.map((one) => {
    const own = weightOf(one)
    const first = firstOf(one.candidate.method)
    if (!own || !first || weightOf(first)?.group !== own.group) return undefined
    const weights = ranked.map(weightOf).flatMap((other) => (other?.group === own.group ? other.weight : []))
    return weights.length > 1 ? own.weight / weights.reduce((sum, weight) => sum + weight, 0) : undefined
  })
}

/** FNV-1a, followed by `scramble`: evenly distributed, not cryptographic. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}

function scramble(value: number): number {
  let mixed = (value + 0x6d2b79f5) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index]
    if (other === undefined || value === other) continue
    return value - other
  }
  return 0
}

// ---- health -----------------------------------------------------------------------------------------------

/** One call to a provider. */
export interface Sample {
  readonly atMs: number
  readonly failed: boolean
  readonly tookMs: number
}

export const HEALTH = {
  /** Number of recent calls considered, and their maximum age. */
  samples: 20,
  freshMs: 5 * 60_000,
  /** Fewer calls than this give no diagnosis. */
  leastSamples: 5,
  /** Share of failed calls that counts as an outage. */
  failedShare: 0.5,
  /** Customers abandon a checkout that takes longer. */
  slowMs: 8_000,
  /** The first pause before a probe; doubles with every failed probe. */
  pauseMs: 30_000,
  longestPauseMs: 10 * 60_000,
  /** While a probe is due, at most one payment per this interval is let through. */
  probeEveryMs: 5_000,
} as const

/** Finds the problem of a profile in its recent calls; undefined when it is healthy. */
export function diagnose(samples: readonly Sample[], nowMs: number): Diagnosis | undefined {
  const fresh = samples.filter(({ atMs }) => nowMs - atMs <= HEALTH.freshMs)
  if (fresh.length < HEALTH.leastSamples) return undefined
  const failed = fresh.filter((sample) => sample.failed).length
  if (failed >= fresh.length * HEALTH.failedShare) return { code: 'failed', failed, calls: fresh.length }
  const times = fresh.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)] ?? 0
  if (median <= HEALTH.slowMs) return undefined
  return { code: 'slow', calls: fresh.length, ms: median }
}

export const pauseAfter = (failures: number): number =>
  Math.min(HEALTH.pauseMs * 2 ** Math.max(0, failures - 1), HEALTH.longestPauseMs)
