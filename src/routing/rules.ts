import { currencyDigits } from '../base/currencies.ts'

/** Pure: which way to pay comes first, and why. */

export interface RoutingConfig {
  /** The profile that comes first where no route says otherwise, one for each currency at most. */
  readonly defaults: readonly { readonly currency: string; readonly profileId: number }[]
  /** The first route whose conditions are met decides. */
  readonly routes: readonly RoutingRule[]
}

export const NO_ROUTING: RoutingConfig = { defaults: [], routes: [] }

export interface RoutingRule {
  readonly name: string | null
  /** Null: any, in each of the conditions. */
  readonly currency: string | null
  readonly method: string | null
  /** In major units of the payment's currency, both included. */
  readonly minAmount: number | null
  readonly maxAmount: number | null
  readonly countries: readonly string[] | null
  readonly brands: readonly string[] | null
  /** In order; those with a weight take turns for the place of the first of them. */
  readonly profiles: readonly { readonly profileId: number; readonly weight: number | null }[]
}

export interface Candidate {
  readonly profileId: number
  readonly method: string
}

/** What is known about the payment. A condition on something unknown is not met. */
export interface RoutingFacts {
  readonly currency: string
  readonly amountMinor?: bigint | undefined
  readonly country?: string | undefined
  readonly brand?: string | undefined
  /** Decides where weights leave a choice: the same text, the same order. */
  readonly seed?: string | undefined
}

/** What is wrong with a profile; undefined: nothing. */
export type TroubleLookup = (profileId: number) => string | undefined

export interface Ranked<C extends Candidate> {
  readonly candidate: C
  readonly reasons: readonly string[]
}

interface Placed<C extends Candidate> extends Ranked<C> {
  readonly place: readonly number[]
}

/** Candidates with the best first. They come in the order that counts where nothing else does. */
export function rank<C extends Candidate>(
  candidates: readonly C[],
  config: RoutingConfig,
  asking: RoutingFacts,
  trouble: TroubleLookup,
): Ranked<C>[] {
  return candidates
    .map((candidate, index) => placed(candidate, index, { config, asking, trouble }))
    .sort((a, b) => compare(a.place, b.place))
    .map(({ candidate, reasons }) => ({ candidate, reasons }))
}

interface Around {
  readonly config: RoutingConfig
  readonly asking: RoutingFacts
  readonly trouble: TroubleLookup
}

function placed<C extends Candidate>(candidate: C, index: number, around: Around): Placed<C> {
  const { config, asking, trouble } = around
  const ill = trouble(candidate.profileId)
  const health = ill === undefined ? [] : [`put last: ${ill}`]
  const sick = ill === undefined ? 0 : 1
  const found = routed(candidate, config, asking)
  if (found) return { candidate, place: [sick, 0, ...found.place, index], reasons: [found.says, ...health] }
  const isDefault = config.defaults.some(
    ({ currency, profileId }) => currency === asking.currency && profileId === candidate.profileId,
  )
  return isDefault
    ? { candidate, place: [sick, 1, index], reasons: [`default for ${asking.currency}`, ...health] }
    : { candidate, place: [sick, 2, index], reasons: ['no route names it', ...health] }
}

function routed(candidate: Candidate, config: RoutingConfig, asking: RoutingFacts) {
  const place = config.routes.findIndex((route) => isMet(route, candidate, asking))
  const route = config.routes[place]
  if (!route) return undefined
  const position = profileOrder(route, asking.seed ?? '').indexOf(candidate.profileId)
  if (position < 0) return undefined
  const name = route.name === null ? '' : ` (${route.name})`
  const weight = route.profiles.find(({ profileId }) => profileId === candidate.profileId)?.weight
  const share = typeof weight === 'number' ? `, weight ${weight}` : ''
  return { place: [place, position], says: `place ${position + 1} of route ${place + 1}${name}${share}` }
}

function isMet(route: RoutingRule, { method }: Candidate, asking: RoutingFacts): boolean {
  const { currency, amountMinor, country, brand } = asking
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

/** The profiles of a route in order: those with weights profileOrder by lot, among the places that they hold. */
export function profileOrder({ profiles }: RoutingRule, seed: string): number[] {
  const lots = profiles.filter(({ weight }) => weight !== null)
  let state = hash(seed)
  const order: number[] = []
  while (lots.length > 0) {
    state = scramble(state)
    const total = lots.reduce((sum, { weight }) => sum + (weight ?? 0), 0)
    let left = (state / 0x1_0000_0000) * total
    const index = lots.findIndex(({ weight }) => {
      left -= weight ?? 0
      return left < 0
    })
    const [taken] = lots.splice(Math.max(0, index), 1)
    if (taken) order.push(taken.profileId)
  }
  return profiles.map(({ profileId, weight }) => (weight === null ? profileId : (order.shift() ?? profileId)))
}

/** FNV-1a, then a finishing scramble: not secret, only evenly spread. */
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

/** One call to a provider: whether it failed as calls should not, and how long it took. */
export interface Sample {
  readonly atMs: number
  readonly failed: boolean
  readonly tookMs: number
}

export const HEALTH = {
  /** The last calls, and only fresh ones: an hour-old outage says nothing about now. */
  samples: 20,
  freshMs: 5 * 60_000,
  /** Fewer calls than this prove nothing. */
  leastSamples: 5,
  /** Half of the calls failing is an outage, not bad luck. */
  failedShare: 0.5,
  /** A customer who waits longer than this at checkout leaves. */
  slowMs: 8_000,
  /** The first pause before a profile is probed; it doubles with every probe that fails. */
  pauseMs: 30_000,
  longestPauseMs: 10 * 60_000,
  /** When a probe is due, one payment in this time is let through. */
  probeEveryMs: 5_000,
} as const

/** What is wrong with a profile, by its last calls; undefined: nothing. */
export function diagnose(samples: readonly Sample[], nowMs: number): string | undefined {
  const fresh = samples.filter(({ atMs }) => nowMs - atMs <= HEALTH.freshMs)
  if (fresh.length < HEALTH.leastSamples) return undefined
  const failed = fresh.filter((sample) => sample.failed).length
  if (failed >= fresh.length * HEALTH.failedShare) return `${failed} of the last ${fresh.length} calls failed`
  const times = fresh.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)] ?? 0
  return median > HEALTH.slowMs ? `half of the last ${fresh.length} calls took over ${median} ms` : undefined
}

export const pauseAfter = (failures: number): number =>
  Math.min(HEALTH.pauseMs * 2 ** Math.max(0, failures - 1), HEALTH.longestPauseMs)
