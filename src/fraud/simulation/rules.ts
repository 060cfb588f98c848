import type { ThreeDSecureAction } from '../../providers/methods/three-d-secure.ts'
import type { Policy, Rule } from '../policy.ts'
import { appliesTo, type Counts, isCounted, judgeAfter, judgeBefore, windowStart } from '../rules.ts'
import {
  decisionOf,
  type FraudCheck,
  type FraudDecision,
  type FraudFacts,
  stops,
  threeDSecureOf,
} from '../verdict.ts'

/** Replays past payments against a policy, in chronological order. Pure. */

export interface Past {
  readonly paymentId: number
  readonly customerId: string
  readonly time: Date
  readonly outcome: 'paid' | 'declined' | 'ended'
  /** All facts known at the end, including those from the provider. */
  readonly facts: FraudFacts
}

export interface Stopped {
  readonly paymentId: number
  readonly decision: Exclude<FraudDecision, 'Accept'>
  readonly checks: readonly FraudCheck[]
  readonly facts: FraudFacts
}

export interface Replay {
  /** Number of payments replayed. */
  readonly payments: number
  readonly stopped: readonly Stopped[]
  /** Payments that are not stopped, by what is asked of 3-D Secure for their last attempt. */
  readonly asked: Readonly<Record<ThreeDSecureAction, number>>
}

export function replay(policy: Policy, past: readonly Past[]): Replay {
  const seen = new Set<number>()
  const stopped = new Map<number, Stopped>()
  const asked = new Map<number, ThreeDSecureAction>()
  const blocked = new Set<string>()
  const tallies = new Map<string, Tally>()
  for (const one of past) {
    const { paymentId, customerId, facts } = one
    seen.add(paymentId)
    const before = stopped.get(paymentId)
    if (before && stops(before.decision)) continue
    if (blocked.has(customerId)) {
      stopped.set(paymentId, { paymentId, decision: 'Block', checks: [BLOCKED], facts })
      continue
    }
    const tally = tallies.get(customerId) ?? createTally(policy)
    tallies.set(customerId, tally)
    const checks = checksFor(policy, one, tally)
    const decision = decisionOf(checks)
    const action = threeDSecureOf(checks)
    if (action) asked.set(paymentId, action)
    if (decision === 'Block') blocked.add(customerId)
    // A declined payment cannot be held.
    const isHoldWithoutPayment = decision === 'Hold' && one.outcome !== 'paid'
    if (decision !== 'Accept' && !isHoldWithoutPayment)
      stopped.set(paymentId, { paymentId, decision, checks, facts })
    // A stopped attempt is not counted as a payment, but its card is.
    tally.add(stops(decision) ? { ...one, outcome: 'ended' } : one)
  }
  const counts = { RequestExemption: 0, RequestChallenge: 0, RequireChallenge: 0 }
  for (const [paymentId, action] of asked) {
    const decision = stopped.get(paymentId)?.decision
    if (!decision || !stops(decision)) counts[action]++
  }
  return { payments: seen.size, stopped: [...stopped.values()], asked: counts }
}

const BLOCKED: FraudCheck = {
  stage: 'Before',
  name: 'BlockedCustomer',
  action: 'BlockCustomer',
  seen: 'blocked by an earlier payment',
  limit: 'not blocked',
  result: 'Violated',
}

function checksFor(policy: Policy, { facts, time, outcome }: Past, tally: Tally): FraudCheck[] {
  const counts = tally.counts(time, facts)
  const before = judgeBefore({ policy, facts, counts })
  if (outcome !== 'paid' || stops(decisionOf(before))) return before
  return [...before, ...judgeAfter({ policy, facts, counts }, facts.card !== undefined)]
}

/**
 * Activity of one customer in the window of each rule. Windows slide forward, so each attempt is added and
 * removed once.
 */
interface Tally {
  add(past: Past): void
  counts(now: Date, facts: FraudFacts): Map<number, Counts>
}

function createTally(policy: Policy): Tally {
  const windows = policy.rules.flatMap((rule, index) =>
    isCounted(rule) ? [{ place: index + 1, rule, sums: createSums() }] : [],
  )
  return {
    add(past) {
      for (const { rule, sums } of windows) if (appliesTo(rule, past.facts)) sums.add(past)
    },
    counts(now, facts) {
      const found = new Map<number, Counts>()
      for (const { place, rule, sums } of windows) {
        if (!appliesTo(rule, facts)) continue
        sums.dropUntil(windowStart(rule as Rule, now, null).getTime())
        found.set(place, sums.counts(facts))
      }
      return found
    },
  }
}

function createSums() {
  const uses: Past[] = []
  let head = 0
  let payments = 0
  let rejects = 0
  const totals = new Map<string, bigint>()
  const cards = new Map<string, number>()
  function count({ outcome, facts }: Past, by: 1 | -1): void {
    if (outcome === 'declined') rejects += by
    if (outcome === 'paid') {
      payments += by
      totals.set(facts.currency, (totals.get(facts.currency) ?? 0n) + BigInt(by) * facts.amountMinor)
    }
    const card = facts.card?.identity
    if (card === undefined) return
    const left = (cards.get(card) ?? 0) + by
    if (left > 0) cards.set(card, left)
    else cards.delete(card)
  }
  return {
    add(past: Past) {
      uses.push(past)
      count(past, 1)
    },
    dropUntil(sinceMs: number) {
      for (let use = uses[head]; use && use.time.getTime() <= sinceMs; use = uses[++head]) count(use, -1)
    },
    counts: (facts: FraudFacts): Counts => ({
      payments,
      rejects,
      totalMinor: totals.get(facts.currency) ?? 0n,
      cards: cards.size - (facts.card && cards.has(facts.card.identity) ? 1 : 0),
    }),
  }
}
