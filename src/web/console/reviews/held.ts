import { ApiError } from '../../../base/errors.ts'
import { paymentVerdicts } from '../../../fraud/verdicts/explain.ts'
import { appNow } from '../../../merchants/app.ts'
import { getPayment } from '../../../payments/actions.ts'
import { STATES } from '../../../payments/machine.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { checkText } from '../fraud/words.ts'
import { agoIn } from '../../kit/format/time.tsx'

/** A held payment and what its reviewer must know. */
export interface HeldPayment {
  readonly payment: Payment
  /** The checks that hold it, in words. */
  readonly reasons: readonly string[]
  readonly score: string | undefined
}

const SCORES = ['ProviderRiskScore', 'RiskScore']

/** Undefined: there is no such payment, or it is not held any more. */
export async function findHeld(request: AppRequest, paymentId: number): Promise<HeldPayment | undefined> {
  const { ctx, app } = request
  const [payment, verdicts] = await Promise.all([
    getPayment(ctx, app, paymentId).catch(unlessUnknown),
    paymentVerdicts(ctx, app, paymentId),
  ])
  if (!payment || STATES[payment.state].kind !== 'held') return undefined
  const checks = verdicts.at(-1)?.checks ?? []
  const violated = checks.filter(({ result }) => result === 'Violated')
  const score = checks.find(({ name }) => SCORES.includes(name))?.seen ?? payment.payInfo?.risk?.score
  return {
    payment,
    reasons: violated.map((check) => checkText(request, check)),
    score: score === undefined || score === null ? undefined : String(score),
  }
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'not_found') return undefined
  throw error
}

/** How long it is held: `3 hr. ago`. */
export function heldFor({ ctx, app, language }: AppRequest, { stateTime }: Payment): string {
  return agoIn(language, appNow(ctx, app).getTime() - stateTime.getTime())
}
