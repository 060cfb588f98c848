import { newOperationKey } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import type { CustomerMethod } from '../../customers/methods.ts'
import { abilitiesFor } from '../../providers/abilities.ts'
import { canAsk, requestOf, strongest, type ThreeDSecure } from '../../providers/methods/three-d-secure.ts'
import type { CardFacts } from '../../providers/outcome.ts'
import type { Offer } from '../../routing/offers.ts'
import type { Change, NewVerdict } from '../changes.ts'
import type { Consent, PayInfo, Payment } from '../payment.ts'
import { declinedBy } from './failover-rules.ts'
import { isOneStep } from './one-step.ts'
import type { Instruments } from './send.ts'

/** How a customer pays: with the provider's fields on our page, a stored method, or the provider's page. */
export interface PayWith extends Instruments {
  readonly offer: Offer
  readonly payerIp?: string
  /** The language of our page. */
  readonly locale?: string
  /** The consent of the customer. With it the method is stored. */
  readonly consent?: Consent
  /** Identifies the submitted form: the same form again starts no second attempt. */
  readonly requestKey?: string
  /** Starts only while this is the payment's last attempt: a parallel request may have started the next. */
  readonly afterAttempt?: number
  /** The stored method, when one is used. */
  readonly paymentMethodId?: number
  readonly tokenId?: number
  readonly card?: CardFacts | null
  readonly stored?: CustomerMethod
  /** The key of the attempt's operation, if its try was written before. */
  readonly operationKey?: string
}

/**
 * A new attempt. It resets the fields of the last one; its key is our reference at the provider.
 * Decision 0012.
 */
export function attemptChange(
  ctx: Context,
  payment: Payment,
  how: PayWith,
  verdict: NewVerdict | undefined,
): Change {
  const { offer, token, instrument, requestKey } = how
  const { profileId } = offer.profile
  const key = how.operationKey ?? newOperationKey(ctx.random)
  const attempt = payment.attempt + 1
  const opensPage = token === undefined && instrument === undefined
  return {
    events: opensPage ? [] : [{ on: 'pay' }],
    updates: {
      attempt,
      attemptKey: key,
      profileId,
      method: offer.method,
      paymentMethodId: how.paymentMethodId ?? null,
      tokenId: how.tokenId ?? null,
      handles: null,
      payInfo: payInfoOf(payment, how, { oneStep: isOneStep(payment, how, verdict), verdict }),
      redirectUrl: null,
      lastError: null,
      fraudStatus: verdict?.judgement.decision === 'Hold' ? 'RuleViolated' : 'Unknown',
    },
    opens: {
      key,
      step: token === undefined ? 'start' : 'charge',
      profileId,
      method: offer.method,
      amountMinor: payment.amountMinor,
      attempt,
      ...(requestKey ? { requestKey } : {}),
    },
    ...(verdict ? { verdict } : {}),
  }
}

interface Started {
  readonly oneStep: boolean
  readonly verdict: NewVerdict | undefined
}

function payInfoOf(payment: Payment, how: PayWith, { oneStep, verdict }: Started): PayInfo {
  const { payerIp, locale, consent } = how
  const declined = declinedBy(payment)
  const threeDSecure = askedOf(how, verdict)
  return {
    oneStep,
    ...(payerIp ? { payerIp } : {}),
    ...(locale ? { locale } : {}),
    ...(consent ? { consent } : {}),
    ...(threeDSecure ? { threeDSecure } : {}),
    ...(declined.length > 0 ? { declinedBy: declined } : {}),
  }
}

/** What the provider is asked for. What it cannot be asked for is noted as not supported. */
function askedOf({ offer, token }: PayWith, verdict: NewVerdict | undefined): ThreeDSecure | undefined {
  const action = strongest([offer.threeDSecure, verdict?.judgement.threeDSecure])
  if (!action) return undefined
  const isAsked = canAsk(abilitiesFor(offer.abilities, token !== undefined), action)
  return { requested: requestOf(action), ...(isAsked ? {} : { result: 'not-supported' }) }
}
