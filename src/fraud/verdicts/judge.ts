import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import type { ThreeDSecureAction } from '../../providers/methods/three-d-secure.ts'
import { checkBlocks } from '../blocks/commands.ts'
import { blocksAfter } from '../blocks/rules.ts'
import { findPolicy, policyVersion } from '../policies/commands.ts'
import { type Policy, policiesInOrder } from '../policy.ts'
import { appliesTo, hasChecksAfter, isCounted, judgeAfter, judgeBefore, windowStart } from '../rules.ts'
import {
  decisionOf,
  type FraudCheck,
  type FraudDecision,
  type FraudFacts,
  isAllowed,
  messageOf,
  stops,
  threeDSecureOf,
} from '../verdict.ts'
import {
  countUses,
  type Standing,
  selectStanding,
  selectVerdicts,
  type VerdictRecord,
  type Window,
} from './store.ts'

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
  /** What the policy asks of 3-D Secure. */
  readonly threeDSecure?: ThreeDSecureAction | undefined
  /** Undefined: the block list alone decided. */
  readonly policy: Policy | undefined
  readonly checks: readonly FraudCheck[]
  /** Whether something is still checked after the provider has approved. */
  readonly checksAfter: boolean
  /** Version of the customer's fraud state, when activity was counted: the write fails if it has changed. */
  readonly seenVersion: number | undefined
}

/** Whether a policy or the block list may apply. Without them, the check needs no query and no queue. */
export const isChecked = (app: App, policyId: number | undefined): boolean =>
  app.hasFraudPolicies || app.blockKinds.length > 0 || policyId !== undefined

export const customerBlocked = () =>
  new ApiError('customer_blocked', 'The customer is blocked and cannot pay.')

/**
 * Checks an attempt before the provider is called; undefined when there is nothing to check. What the block
 * list stops is not counted by the rules of a policy.
 */
export async function judgeAttempt(ctx: Context, app: App, subject: Subject): Promise<Judgement | undefined> {
  if (!isChecked(app, subject.policyId)) return undefined
  const standing = await selectStanding(ctx.db, app.appId, subject.customerId)
  if (standing.isBlocked) throw customerBlocked()
  const emails = [...(subject.facts.emails ?? []), standing.email ?? undefined]
  const known = { ...subject, facts: { ...subject.facts, emails } }
  const listed = await checkBlocks(ctx, app, known, 'Before')
  const policy = await policyInForce(ctx, app, subject, standing)
  if (!policy && listed.length === 0) return undefined
  if (!policy || isDecided(listed)) return judgementOf(app, undefined, listed)
  const windows = windowsOf(policy, subject.facts, { standing, now: appNow(ctx, app) })
  const counts = await countUses(ctx.db, { ...countingOf(app, subject), windows })
  const checks = [...listed, ...judgeBefore({ policy, facts: subject.facts, counts })]
  return judgementOf(app, policy, checks, windows.length > 0 ? standing.version : undefined)
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
  if (!before) return undefined
  const policy = await policyOf(ctx, app, before)
  if (!policy && before.policyId !== null) return undefined
  const isKnown = before.checks.some(isAllowed)
  const found = hasListsAfter(app) ? await checkBlocks(ctx, app, subject, 'After') : []
  const listed = found.filter((check) => !(isKnown && isAllowed(check)))
  const known = [...before.checks, ...listed]
  if (!policy || isDecided(listed)) return judgementOf(app, undefined, known)
  if (!hasChecksAfter(policy)) return judgementOf(app, policy, known)
  const cardWasKnown = before.card !== null
  const countsCards = !cardWasKnown && policy.rules.some(({ measure }) => measure === 'DistinctCard')
  const standing = countsCards ? await selectStanding(ctx.db, app.appId, subject.customerId) : undefined
  const windows = standing ? windowsOf(policy, subject.facts, { standing, now: appNow(ctx, app) }) : []
  const counts = await countUses(ctx.db, { ...countingOf(app, subject), windows })
  const checks = judgeAfter({ policy, facts: subject.facts, counts }, cardWasKnown)
  return judgementOf(app, policy, [...known, ...checks], standing?.version)
}

const hasListsAfter = ({ blockKinds, allowKinds }: App): boolean =>
  blocksAfter(blockKinds) || blocksAfter(allowKinds)

/** A list stops the payment, or lets it through: no policy is asked. */
const isDecided = (listed: readonly FraudCheck[]): boolean =>
  stops(decisionOf(listed)) || listed.some(isAllowed)

/** The policy of the check before. Undefined: the block list alone was checked, or the version is gone. */
const policyOf = async (ctx: Context, { appId }: App, { policyId, policyVersion: version }: VerdictRecord) =>
  policyId === null || version === null ? undefined : policyVersion(ctx, appId, { policyId, version })

function judgementOf(
  app: App,
  policy: Policy | undefined,
  checks: readonly FraudCheck[],
  seenVersion?: number,
): Judgement {
  const message = messageOf(policy, checks)
  const decision = decisionOf(checks)
  const checksAfter = blocksAfter(app.blockKinds) || (policy !== undefined && hasChecksAfter(policy))
  const threeDSecure = threeDSecureOf(checks)
  return { decision, message, threeDSecure, policy, checks, checksAfter, seenVersion }
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
