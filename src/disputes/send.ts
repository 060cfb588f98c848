import { after } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import { errorData } from '../base/log.ts'
import { openJson } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, findProfile } from '../merchants/app.ts'
import { callProvider } from '../merchants/profiles/call.ts'
import { getPayment, recheckPayment } from '../payments/actions.ts'
import type { Payment } from '../payments/payment.ts'
import type {
  DisputeCase,
  DisputeReference,
  Disputes,
  Evidence,
  EvidenceTexts,
} from '../providers/disputes.ts'
import type { NotDone, Unknown } from '../providers/outcome.ts'
import type { ProviderContext } from '../providers/port.ts'
import {
  contentsOf,
  type DisputeOperation,
  endAnswer,
  noteSubmissions,
  postponeAnswer,
} from './answers-store.ts'
import { DISPUTES } from './limits.ts'

/**
 * Sends an answer whose operation is committed and leased. The provider is read before every request: an
 * answer that arrived although its reply was lost is found there, and nothing is submitted twice.
 * Decision 0167.
 */
export async function sendAnswer(ctx: Context, app: App, answer: DisputeOperation): Promise<void> {
  const step = await nextStep(ctx, app, answer).catch((error: unknown): Step => {
    ctx.log.error('dispute.answer_failed', { appId: app.appId, ...errorData(error) })
    return { kind: 'later' }
  })
  if (step.kind === 'later') return postponeAnswer(ctx.db, answer, retryTime(ctx, answer))
  if (step.kind === 'refused') return endAnswer(ctx.db, answer, 'draft', step.problem)
  await endAnswer(ctx.db, answer, answer.state === 'accepting' ? 'accepted' : 'submitted', null)
  const payment = await getPayment(ctx, app, answer.paymentId)
  // The provider may have decided already. Without a reply now, its notification tells.
  await recheckPayment(ctx, app, payment, { waitMs: LIMITS.actionWaitMs })
}

type Step =
  | { readonly kind: 'done' }
  /** Not known, or not possible now: it is read and tried again. */
  | { readonly kind: 'later' }
  | { readonly kind: 'refused'; readonly problem: string }

async function nextStep(ctx: Context, app: App, answer: DisputeOperation): Promise<Step> {
  const seen = await readCase(ctx, app, answer)
  if (seen.kind !== 'case') return failedStep(seen)
  const { state, submissions } = answer
  const wasSent = submissions !== null
  const isAccepting = state === 'accepting'
  const can = isAccepting ? seen.canAccept : seen.canSubmit
  const isDone = isAccepting ? seen.isLost || !can : seen.submissions > (submissions ?? 0)
  if (wasSent && isDone) return { kind: 'done' }
  if (!can) return { kind: 'refused', problem: 'closed' }
  if (!wasSent && !(await noteSubmissions(ctx.db, answer, seen.submissions))) return { kind: 'later' }
  const sent = await withProvider(ctx, app, answer, async (disputes, provider, dispute) => {
    const key = answer.operationKey ?? ''
    if (isAccepting) return disputes.accept(provider, dispute, key)
    return disputes.submit(provider, dispute, { key, evidence: await evidenceOf(ctx, answer) })
  })
  return sent.kind === 'done' ? sent : failedStep(sent)
}

/** Nothing was done, and the next try may succeed. */
const PASSING: readonly NotDone['why'][] = ['not-sent', 'rate-limited']

const failedStep = (failure: NotDone | Unknown): Step =>
  failure.kind === 'unknown' || PASSING.includes(failure.why)
    ? { kind: 'later' }
    : { kind: 'refused', problem: failure.why }

/** What the provider says about the dispute now. */
export const readCase = (
  ctx: Context,
  app: App,
  answer: DisputeOperation,
): Promise<DisputeCase | NotDone | Unknown> =>
  withProvider(ctx, app, answer, (disputes, provider, dispute) => disputes.read(provider, dispute))

type Provider = ProviderContext<unknown>

async function withProvider<T>(
  ctx: Context,
  app: App,
  { profileId, paymentId, disputeId }: DisputeOperation,
  call: (disputes: Disputes<Provider>, provider: Provider, dispute: DisputeReference) => Promise<T>,
): Promise<T | NotDone> {
  const profile = findProfile(app, profileId)
  if (!profile) return { kind: 'not-done', why: 'unsupported' }
  const payment = await getPayment(ctx, app, paymentId)
  const subject = { step: 'dispute', paymentId }
  return callProvider({ ...ctx, subject }, app, profile, async ({ disputes }, provider) =>
    disputes
      ? call(disputes, provider, referenceOf(payment, disputeId))
      : { kind: 'not-done', why: 'unsupported' },
  )
}

const referenceOf = ({ attemptKey, handles }: Payment, id: string): DisputeReference => ({
  id,
  reference: attemptKey ?? '',
  handles: handles ?? {},
})

async function evidenceOf({ db, vault }: Context, answer: DisputeOperation): Promise<Evidence> {
  const files = await contentsOf(db, answer)
  return {
    texts: answer.sealed ? openJson<EvidenceTexts>(vault, answer.sealed) : {},
    files: files.map(({ kind, mediaType, sealed }) => ({
      kind,
      mediaType,
      bytes: Buffer.from(vault.open(sealed), 'base64'),
    })),
  }
}

function retryTime({ clock }: Context, { sendings }: DisputeOperation): Date {
  const { firstPauseMs, longestPauseMs } = DISPUTES
  return after(clock.now(), Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(sendings - 1, 20)))
}
