import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { findPolicy, policyVersion } from '../policies/commands.ts'
import { type Policy, policiesInOrder } from '../policy.ts'
import { appliesTo, hasChecksAfter, isCounted, judgeAfter, judgeBefore, windowStart } from '../rules.ts'
import { decisionOf, type FraudCheck, type FraudDecision, type FraudFacts, messageOf } from '../verdict.ts'
import { countUses, type Standing, selectStanding, selectVerdicts, type Window } from './store.ts'

/** An attempt to pay that is checked. */
export interface Subject {
  readonly paymentId: number
  readonly attempt: number
  readonly customerId: string
  /** The policy set on the payment. */
  readonly policyId: number | undefined
  readonly facts: FraudFacts
}

/** The result of the checks. It is written atomically with the change it decides. */
export interface Judgement {
  readonly decision: FraudDecision
  /** The policy's own words for the payer when the payment is stopped. */
  readonly message: string | undefined
  readonly policy: Policy
  readonly checks: readonly FraudCheck[]
  /** Version of the customer's fraud state, when activity was counted: the write fails if it has changed. */
  readonly seenVersion: number | undefined
}

/** Checks an attempt before the provider is called; undefined when no policy applies. */
export async function judgeAttempt(ctx: Context, app: App, subject: Subject): Promise<Judgement | undefined> {
  if (!app.hasFraudPolicies && subject.policyId === undefined) return undefined
  const standing = await selectStanding(ctx.db, app.appId, subject.customerId)
  if (standing.isBlocked) throw new ApiError('customer_blocked', 'The customer is blocked and cannot pay.')
  const policy = await policyInForce(ctx, app, subject, standing)
  if (!policy) return undefined
  const windows = windowsOf(policy, subject.facts, { standing, now: appNow(ctx, app) })
  const counts = await countUses(ctx.db, { ...countingOf(app, subject), windows })
  const checks = judgeBefore({ policy, facts: subject.facts, counts })
  return judgementOf(policy, checks, windows.length > 0 ? standing.version : undefined)
}

/** The first policy that still exists: one set on a payment may have been deleted since. */
async function policyInForce(
  ctx: Context,
  app: App,
  subject: Subject,
  standing: Standing,
): Promise<Policy | undefined> {
  for (const id of policiesInOrder(subject.policyId, standing.policyId, app.defaultFraudPolicyId)) {
    const policy = await findPolicy(ctx, app.appId, id)
    if (policy) return policy
  }
  return undefined
}

/** Checks an attempt after the provider has approved it; undefined when it was not checked before. */
export async function judgeApproval(
  ctx: Context,
  app: App,
  subject: Subject,
): Promise<Judgement | undefined> {
  const verdicts = await selectVerdicts(ctx.db, app.appId, subject.paymentId)
  const before = verdicts.find(({ attempt }) => attempt === subject.attempt)
  const key = before && { policyId: before.policyId, version: before.policyVersion }
  const policy = key && (await policyVersion(ctx, app.appId, key))
  if (!before || !policy) return undefined
  if (!hasChecksAfter(policy)) return judgementOf(policy, before.checks, undefined)
  const cardWasKnown = before.card !== null
  const countsCards = !cardWasKnown && policy.rules.some(({ measure }) => measure === 'DistinctCard')
  const standing = countsCards ? await selectStanding(ctx.db, app.appId, subject.customerId) : undefined
  const windows = standing ? windowsOf(policy, subject.facts, { standing, now: appNow(ctx, app) }) : []
  const counts = await countUses(ctx.db, { ...countingOf(app, subject), windows })
  const checks = judgeAfter({ policy, facts: subject.facts, counts }, cardWasKnown)
  return judgementOf(policy, [...before.checks, ...checks], standing?.version)
}

function judgementOf(
  policy: Policy,
  checks: readonly FraudCheck[],
  seenVersion: number | undefined,
): Judgement {
  const message = messageOf(policy, checks)
  return { decision: decisionOf(checks), message, policy, checks, seenVersion }
}

const countingOf = (app: App, { customerId, paymentId, facts }: Subject) => ({
  appId: app.appId,
  customerId,
  paymentId,
  currency: facts.currency,
  card: facts.card?.identity ?? null,
})

function windowsOf(
  policy: Policy,
  facts: FraudFacts,
  { standing, now }: { standing: Standing; now: Date },
): Window[] {
  return policy.rules.flatMap((rule, index) => {
    if (!isCounted(rule) || !appliesTo(rule, facts)) return []
    const { currency, profiles } = rule
    return [{ place: index + 1, since: windowStart(rule, now, standing.resetTime), currency, profiles }]
  })
}
