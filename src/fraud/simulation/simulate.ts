import { after, DAY } from '../../base/clock.ts'
import { majorNumber } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { cardSeen } from '../card.ts'
import type { Policy } from '../policy.ts'
import { explainedCheck } from '../verdicts/view.ts'
import { type Past, type Replay, replay, type Stopped } from './rules.ts'
import { type PastAttempt, selectBoundary, selectDisputed, selectPage } from './store.ts'

const PAGE_SIZE = 2_000
/** Bounds the run to some seconds; the newest payments are the most relevant. */
const MAX_PAYMENTS = 50_000
const EXAMPLES = 20

/**
 * Payments of the last days that a policy would have stopped, and how many of them were refunded or disputed.
 */
export async function simulatePolicy(ctx: Context, app: App, policy: Policy, days: number) {
  const to = appNow(ctx, app)
  const from = after(to, -days * DAY)
  const { attempts, isComplete } = await readPast(ctx, app, from)
  const found = replay(policy, attempts.map(pastOf))
  const refunded = new Set(attempts.filter((one) => one.wasRefunded).map((one) => one.paymentId))
  const ids = found.stopped.map(({ paymentId }) => paymentId)
  const disputed = await selectDisputed(ctx.db, app.appId, ids)
  return {
    fraudPolicyId: policy.policyId,
    from: from.toISOString(),
    to: to.toISOString(),
    payments: found.payments,
    isComplete,
    stopped: {
      count: ids.length,
      byDecision: byDecision(found),
      byCurrency: byCurrency(found.stopped),
      laterRefunded: ids.filter((id) => refunded.has(id)).length,
      laterDisputed: ids.filter((id) => disputed.has(id)).length,
    },
    threeDSecure: found.asked,
    byRule: byRule(found.stopped),
    examples: found.stopped.slice(-EXAMPLES).map((one) => exampleOf(one, policy)),
  }
}

/** In the words of the API. */
export const simulationView = (simulation: Awaited<ReturnType<typeof simulatePolicy>>) => ({
  ...simulation,
  stopped: {
    ...simulation.stopped,
    byCurrency: simulation.stopped.byCurrency.map(({ amountMinor, ...sum }) => ({
      ...sum,
      amount: majorNumber(amountMinor, sum.currency),
    })),
  },
})

/**
 * Attempts since then, oldest first. Ids are only roughly chronological, so the page that reaches past the
 * start is the last.
 */
async function readPast(ctx: Context, app: App, from: Date) {
  const attempts: PastAttempt[] = []
  let below = Number.MAX_SAFE_INTEGER
  let read = 0
  let isComplete = false
  while (!isComplete && read < MAX_PAYMENTS) {
    const page = { below, limit: PAGE_SIZE }
    const oldest = await selectBoundary(ctx.db, app.appId, page)
    if (oldest) for (const one of await selectPage(ctx.db, app.appId, page)) attempts.push(one)
    isComplete = !oldest || oldest.createdTime < from
    below = oldest?.paymentId ?? 0
    read += PAGE_SIZE
  }
  const within = attempts.filter(({ time }) => time >= from)
  within.sort((a, b) => a.time.getTime() - b.time.getTime() || a.paymentId - b.paymentId)
  return { attempts: within, isComplete }
}

const code = (text: string | null): string | undefined =>
  text !== null && /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined

const pastOf = (one: PastAttempt): Past => ({
  paymentId: one.paymentId,
  customerId: one.customerId,
  time: one.time,
  outcome: one.outcome,
  facts: {
    amountMinor: one.amountMinor,
    currency: one.currency,
    profileId: one.profileId,
    payerPresent: !one.isAutoPayment,
    isCard: one.isCard,
    payerIp: one.payerIp ?? undefined,
    addressCountry: code(one.addressCountry),
    payerCountry: code(one.payerCountry),
    card: cardSeen(one.card),
    riskScore: one.riskScore ?? undefined,
  },
})

function byDecision({ stopped }: Replay) {
  const counts = { Hold: 0, Reject: 0, Block: 0 }
  for (const { decision } of stopped) counts[decision]++
  return counts
}

function byCurrency(stopped: readonly Stopped[]) {
  const sums = new Map<string, { count: number; minor: bigint }>()
  for (const { facts } of stopped) {
    const { count, minor } = sums.get(facts.currency) ?? { count: 0, minor: 0n }
    sums.set(facts.currency, { count: count + 1, minor: minor + facts.amountMinor })
  }
  return [...sums].map(([currency, { count, minor }]) => ({
    currency,
    count,
    amountMinor: minor,
  }))
}

function byRule(stopped: readonly Stopped[]) {
  const counts = new Map<string, { rule: number | null; name: string; violated: number }>()
  for (const { checks } of stopped)
    for (const { rule = null, name, result } of checks) {
      if (result !== 'Violated') continue
      const key = `${rule} ${name}`
      const known = counts.get(key) ?? { rule, name, violated: 0 }
      counts.set(key, { ...known, violated: known.violated + 1 })
    }
  return [...counts.values()].sort((a, b) => b.violated - a.violated)
}

function exampleOf({ paymentId, decision, checks, facts }: Stopped, policy: Policy) {
  const violated = checks
    .filter(({ result }) => result === 'Violated')
    .map((check) => explainedCheck(check, policy, facts.currency))
  const explanation = violated.map((check) => check.explanation).join(' ')
  return { paymentId, decision, checks: violated, explanation }
}
