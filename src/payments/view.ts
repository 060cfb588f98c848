import { majorNumber } from '../base/money.ts'
import type { Context } from '../context.ts'
import { type App, appNow, findProfile, type Profile } from '../merchants/app.ts'
import { findAdapter } from '../merchants/profiles/adapter.ts'
import { providerIcons } from '../merchants/profiles/icons.ts'
import { checkoutOrigin } from '../merchants/urls.ts'
import { abilitiesFor } from '../providers/abilities.ts'
import { CATALOGUE } from '../providers/methods/catalogue.ts'
import { isMethodId, kindOnWire, type MethodId } from '../providers/methods/method.ts'
import type { ThreeDSecure } from '../providers/methods/three-d-secure.ts'
import type { CardFacts } from '../providers/outcome.ts'
import type { Abilities } from '../providers/port.ts'
import { ACTIONS, type Action, accepts, STATES } from './machine.ts'
import type { DisputeInfo, Failure, Payment } from './payment.ts'
import { problemText } from './problems.ts'
import { adviceIn } from './retry/advice.ts'
import { canTryAgain, expectedTime, isChallenged, linkExpired } from './timers/due.ts'

type Viewer = Pick<Context, 'config' | 'providers' | 'clock'>

const texts = new WeakMap<Payment, string>()

/** The payment as JSON text: built once, used by the answer and by the event of the same change. */
export function paymentJson(ctx: Viewer, app: App, payment: Payment): string {
  const known = texts.get(payment)
  if (known !== undefined) return known
  const text = JSON.stringify(paymentView(ctx, app, payment))
  texts.set(payment, text)
  return text
}

/**
 * Members that are undefined are left out of the JSON. One literal without spreads, and no Date in it: both
 * would take as long as writing the text.
 */
function paymentView(ctx: Viewer, app: App, payment: Payment) {
  const can = (action: Action) => allows(ctx, app, payment, action)
  const canCapture = can('capture')
  const amount = (minor: bigint) => majorNumber(minor, payment.currency)
  const profile = payment.profileId === null ? undefined : findProfile(app, payment.profileId)
  const { details } = payment
  const named = namedIn(payment)
  const disputes = (payment.payInfo?.disputes ?? []).map((one) => disputeView(one, payment.currency))
  return {
    appId: payment.appId,
    paymentId: payment.paymentId,
    paymentState: payment.state,
    paymentStateId: STATES[payment.state].id,
    amount: amount(payment.amountMinor),
    capturedAmount: amount(payment.capturedMinor),
    refundedAmount: amount(payment.refundedMinor),
    referenceId: payment.referenceId,
    currency: payment.currency,
    autoCapture: payment.autoCapture,
    paymentFlow: payment.flow,
    autoPayment: payment.autoPayment,
    fraudStatus: payment.fraudStatus,
    paymentKey: payment.paymentKey,
    redirectUrl: redirectUrlOf(ctx, app, payment),
    returnUrl: payment.returnUrl ?? undefined,
    webhookUrl: payment.webhookUrl ?? undefined,
    customerId: payment.customerId,
    payerIp: payment.payInfo?.payerIp ?? null,
    createdTime: payment.createdTime.toISOString(),
    expirationTime: payment.expirationTime?.toISOString() ?? null,
    expectedTime: expectedTime(payment)?.toISOString(),
    customerOrder: details.customerOrder,
    fraudPolicyId: details.fraudPolicyId ?? null,
    fraudPolicyName: details.fraudPolicyName ?? null,
    paymentMethodId: payment.paymentMethodId ?? named ?? null,
    paymentMethodName: named && CATALOGUE[named].name,
    paymentMethodProviderProfileId: payment.tokenId,
    threeDSecure: payment.payInfo?.threeDSecure && threeDSecureView(payment.payInfo.threeDSecure),
    failure: payment.failure && failureView(payment.failure),
    lastError: payment.lastError && problemText(payment.lastError),
    canCapture,
    canCaptured: canCapture,
    canCancel: can('cancel'),
    canRefund: can('refund'),
    canUnhold: can('unhold'),
    canRecheck: canRecheck(payment),
    canMarkAsRefund: can('mark-as-refund'),
    canMarkAsDispute: can('mark-as-dispute'),
    feeBreakdown: feeBreakdown(payment),
    dispute: disputes[0] ?? null,
    disputes,
    payInfo: profile && payInfo(ctx, payment, profile),
  }
}

/** The method by name that pays, or the wallet that the card was in. */
function namedIn({ method, payInfo }: Payment): MethodId | undefined {
  if (isMethodId(method)) return method
  return payInfo?.card?.wallet
}

/** The hosted page while it can still be paid on; the provider's own where the merchant asked for that. */
function redirectUrlOf(ctx: Viewer, app: App, payment: Payment): string | undefined {
  if (payment.state !== 'Created' || linkExpired(payment, appNow(ctx, app))) return undefined
  if (payment.flow === 'HostedPage') return paymentLink(ctx, payment)
  if (payment.flow === 'ProviderHostedPage') return payment.redirectUrl ?? undefined
  return undefined
}

export const paymentLink = (ctx: Pick<Context, 'config'>, payment: Payment): string =>
  `${checkoutOrigin(ctx, payment.details)}/c/${payment.paymentKey}`

export const isPayable = (ctx: Viewer, app: App, payment: Payment): boolean =>
  payment.state === 'Created' && canTryAgain(payment, appNow(ctx, app))

/** What the method used can do at its provider; undefined before a provider is involved. */
export function abilitiesOf(
  ctx: Pick<Context, 'providers'>,
  app: App,
  payment: Payment,
): Abilities | undefined {
  const profile = payment.profileId === null ? undefined : findProfile(app, payment.profileId)
  if (!profile || payment.method === null) return undefined
  const abilities = findAdapter(ctx, profile)?.manifest.methods[payment.method]
  return abilities && abilitiesFor(abilities, payment.tokenId !== null)
}

/** Whether the merchant could do this now: the machine allows it and the provider is able to. */
export function allows(ctx: Pick<Context, 'providers'>, app: App, payment: Payment, action: Action): boolean {
  if (action === 'refund' && !(abilitiesOf(ctx, app, payment)?.refund && isRefundable(payment))) return false
  if (action === 'cancel' && !isCancellable(ctx, app, payment)) return false
  return accepts(payment.state, ACTIONS[action])
}

/** While a payment is disputed, only if the provider takes a refund in spite of every open dispute. */
function isRefundable({ state, payInfo }: Payment): boolean {
  if (state !== 'Disputed') return true
  const open = payInfo?.disputes?.filter((dispute) => dispute.state === 'open') ?? []
  return open.length > 0 && open.every((dispute) => dispute.isRefundable === true)
}

/**
 * A moving payment can be cancelled while it waits for the customer, or for another capture; one that has
 * taken the money, where the provider gives it back.
 */
function isCancellable(ctx: Pick<Context, 'providers'>, app: App, payment: Payment): boolean {
  if (payment.state === 'CapturedHold') return abilitiesOf(ctx, app, payment)?.refund === true
  if (payment.state === 'Capturing') return payment.payInfo?.recapture !== undefined
  const isMoving = payment.state === 'Authorizing' || payment.state === 'SaleInProgress'
  return !isMoving || isChallenged(payment)
}

export const allowedActions = (ctx: Viewer, app: App, payment: Payment): string[] => [
  ...(Object.keys(ACTIONS) as Action[]).filter((action) => allows(ctx, app, payment, action)),
  ...(canRecheck(payment) ? ['recheck'] : []),
]

export const canRecheck = (payment: Payment): boolean =>
  payment.profileId !== null && STATES[payment.state].kind !== 'final'

const threeDSecureView = ({ requested, result, version, liabilityShift }: ThreeDSecure) => ({
  requested: requested ?? null,
  result: result ?? null,
  version: version ?? null,
  liabilityShift: liabilityShift ?? null,
})

const failureView = (failure: Failure) => ({
  code: failure.code,
  message: problemText(failure.problem),
  declineCode: failure.declineCode,
  ...adviceIn(failure),
})

/** Complete or null: clients read every member of it. */
function feeBreakdown(payment: Payment) {
  if (payment.capturedMinor === 0n || payment.payInfo?.feeMinor === undefined) return null
  const fee = BigInt(payment.payInfo.feeMinor)
  const amount = (minor: bigint) => majorNumber(minor, payment.currency)
  return {
    totalAmount: amount(payment.capturedMinor),
    netAmount: amount(payment.capturedMinor - fee),
    appFee: 0,
    providerFee: amount(fee),
    currency: payment.currency,
    isProviderFeeActual: true,
  }
}

function payInfo(ctx: Viewer, payment: Payment, profile: Profile) {
  const info = payment.payInfo
  const card = info?.card && cardView(info.card)
  return {
    providerReferenceId: payment.handles?.payment ?? null,
    authorizeId: payment.handles?.authorisation ?? null,
    captureId: payment.handles?.capture ?? null,
    providerFee: info?.feeMinor === undefined ? null : majorNumber(BigInt(info.feeMinor), payment.currency),
    paymentProfile: {
      paymentProfileId: profile.profileId,
      paymentProfileName: profile.name,
      paymentMethodTypeString: payment.method && kindOnWire(payment.method),
      isActive: profile.isActive,
      currency: profile.currency,
      paymentProvider: providerView(ctx, profile.provider),
    },
    payer: {
      fullName: info?.payer?.fullName ?? null,
      email: info?.payer?.email ?? null,
      country: info?.payer?.country ?? null,
      card: card ?? null,
    },
    card: card ?? null,
    checks: info?.checks ?? null,
    networkDeclineCode: info?.networkCode ?? null,
    refundClaimUrl: info?.claimUrl ?? null,
  }
}

function disputeView(dispute: DisputeInfo, currency: string) {
  const { id, state, amountMinor, reason, evidenceDue, url, isRefundable, isWonLate } = dispute
  return {
    disputeId: id,
    state,
    amount: amountMinor === undefined ? null : majorNumber(BigInt(amountMinor), currency),
    reason: reason ?? null,
    evidenceDueTime: evidenceDue ?? null,
    providerUrl: url ?? null,
    canRefund: state === 'open' && isRefundable === true,
    ...(isWonLate ? { isWonLate } : {}),
  }
}

export const providerView = (ctx: Pick<Context, 'config'>, provider: string) => ({
  provider,
  ...providerIcons(ctx, provider),
})

const cardView = (card: CardFacts) => ({
  cardBrand: card.brand ?? null,
  cardType: card.type ?? null,
  cardExpiryMonth: card.expiryMonth ?? null,
  cardExpiryYear: card.expiryYear ?? null,
  cardLast4: card.last4 ?? null,
  cardCountry: card.country ?? null,
})
