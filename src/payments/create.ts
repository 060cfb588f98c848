import { assert } from '../base/assert.ts'
import { ApiError } from '../base/errors.ts'
import { newPaymentKey } from '../base/ids.ts'
import type { Context } from '../context.ts'
import {
  chargeCurrency,
  chooseStoredMethod,
  type MethodRegistration,
  registrationsOf,
} from '../customers/choose-method.ts'
import { findCustomer } from '../customers/commands.ts'
import { findPolicy } from '../fraud/policies/commands.ts'
import { customerBlocked } from '../fraud/verdicts/judge.ts'
import { type App, appNow, findProfile } from '../merchants/app.ts'
import { appBlocked } from '../merchants/apps/block.ts'
import { unknownFraudPolicy } from '../merchants/apps/rules.ts'
import { amountObstacle, type Offer, offersFor, routed, withThreeDSecure } from '../routing/offers.ts'
import { obstacleText } from '../routing/reasons.ts'
import { type Applied, applyCreation } from './apply.ts'
import type { Change, NewVerdict } from './changes.ts'
import type { Payment } from './payment.ts'
import { paymentIds } from './payment-ids.ts'
import { failoverFrom, payWithStored } from './provider/failover.ts'
import {
  checkAndWrite,
  checkAttempt,
  isRejected,
  payerCountry,
  rejectionChange,
} from './provider/fraud-check.ts'
import { sendOperations } from './provider/send.ts'
import { attemptChange, type PayWith } from './provider/start-attempt.ts'
import { checkRepeats, resultOfCharge, type StoredMethodChoice, withProviderPage } from './replay.ts'
import { forbiddenChange, type Reserved, releaseTry, reserveTry } from './retry/guard.ts'
import { findByReference } from './store/payments.ts'
import type { NewPayment } from './wire/request.ts'

export interface Created {
  readonly payment: Payment
  /** The reference was used before; this is the payment that it created. */
  readonly replayed: boolean
}

/** Creates a payment for our checkout page or a payment link. */
export function createPayment(ctx: Context, app: App, wanted: NewPayment): Promise<Created> {
  return orReplay(ctx, app, requestOf(wanted), async () => {
    checkExpiration(ctx, app, wanted)
    checkOffers(ctx, app, wanted)
    return insert(ctx, app, await withPolicy(ctx, app, wanted), () => ({ events: [] }))
  })
}

/** Creates a payment on a provider's own page, which is opened at once. */
export async function createOnProviderPage(
  ctx: Context,
  app: App,
  wanted: NewPayment,
  profileId: number,
): Promise<Created> {
  const how = () => ({ offer: pageOffer(ctx, app, wanted, profileId) })
  const created = await orReplay(ctx, app, requestOf(wanted), async () => {
    checkExpiration(ctx, app, wanted)
    const applied = await createWithAttempt(ctx, app, await withPolicy(ctx, app, wanted), how())
    return applied && { payment: await sendOperations(ctx, app, applied) }
  })
  const { payment, replayed } = created
  return replayed ? { payment: await withProviderPage(ctx, app, payment, how), replayed } : created
}

/** Charges a stored method without the customer. The state of the returned payment is the result. */
export async function createAutoPayment(
  ctx: Context,
  app: App,
  choice: StoredMethodChoice & Pick<CreationRequest, 'referenceId' | 'customerId'>,
  read: (defaultCurrency: string) => NewPayment,
): Promise<Created> {
  // Without a currency in the request, a repeat means the currency of the payment it made.
  const repeated: CreationRequest = { ...choice, choice, again: (existing) => read(existing.currency) }
  const created = await orReplay(ctx, app, repeated, async () => {
    const chosen = await chooseStoredMethod(ctx, app, choice.customerId, choice)
    const wanted = await withPolicy(ctx, app, read(chargeCurrency(chosen)))
    const how = bestStoredOffer(ctx, app, wanted, chosen)
    const applied = await createWithAttempt(ctx, app, wanted, how)
    // A request that names the registration allows no other.
    const failover = choice.tokenId === undefined ? failoverFrom(ctx, app, how) : undefined
    return applied && { payment: await sendOperations(ctx, app, applied, { ...how, failover }) }
  })
  const { payment, replayed } = created
  return replayed ? { payment: await resultOfCharge(ctx, payment), replayed } : created
}

interface CreationRequest {
  readonly referenceId: string
  readonly customerId: string
  /** The request as compared with the payment that its reference created before. */
  readonly again: (existing: Payment) => NewPayment
  /** The stored method that the request names, if any. */
  readonly choice?: StoredMethodChoice
}

const requestOf = (wanted: NewPayment): CreationRequest => ({
  referenceId: wanted.referenceId,
  customerId: wanted.customerId,
  again: () => wanted,
})

/** Creates a payment, or returns the existing one: a refused creation still replays an old reference. */
async function orReplay(
  ctx: Context,
  app: App,
  request: CreationRequest,
  create: () => Promise<Pick<Applied, 'payment'> | undefined>,
): Promise<Created> {
  if (!app.isActive) throw appBlocked()
  let refused: ApiError | undefined
  try {
    const applied = await create()
    if (applied) return { payment: applied.payment, replayed: false }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 404) throw error
    refused = error
  }
  const existing = await findByReference(ctx.db, app.appId, request.referenceId)
  if (existing) {
    checkRepeats(request.again(existing), existing, request.choice)
    return { payment: existing, replayed: true }
  }
  const customer = await findCustomer(ctx, app.appId, request.customerId)
  if (customer?.isBlocked) throw customerBlocked()
  throw refused ?? new ApiError('unavailable', 'The payment could not be written. Try again.')
}

/** Creates a payment with its first attempt, or as rejected by fraud rules. Undefined: reference used. */
async function createWithAttempt(
  ctx: Context,
  app: App,
  wanted: NewPayment,
  how: PayWith,
): Promise<Applied | undefined> {
  const made = await checkAndWrite<{ applied?: Applied }>(ctx, app, wanted, async () => {
    let verdict: NewVerdict | undefined
    let reserved: Reserved | undefined
    const applied = await insert(ctx, app, wanted, async (draft) => {
      verdict = await checkAttempt(ctx, app, draft, how)
      if (isRejected(verdict)) return rejectedBefore(verdict, how)
      reserved = await reserveTry(ctx, app, draft, how)
      if ('failure' in reserved) return forbiddenChange(reserved.failure, how)
      return attemptChange(ctx, draft, reserved.how, verdict)
    })
    if (applied) return { applied }
    if (reserved && 'how' in reserved) await releaseTry(ctx, app, reserved.how)
    const isStale = verdict && !(await findByReference(ctx.db, app.appId, wanted.referenceId))
    return isStale ? undefined : {}
  })
  return made.applied
}

/** The method is stored although it is not charged: repeated requests are compared with it. */
const rejectedBefore = (verdict: NewVerdict, { paymentMethodId, tokenId }: PayWith): Change => ({
  ...rejectionChange(verdict),
  updates: { paymentMethodId: paymentMethodId ?? null, tokenId: tokenId ?? null },
})

/** Checks that the requested policy exists and stores its current name. */
async function withPolicy(ctx: Context, app: App, wanted: NewPayment): Promise<NewPayment> {
  const { fraudPolicyId } = wanted.details
  if (fraudPolicyId === undefined) return wanted
  const policy = await findPolicy(ctx, app.appId, fraudPolicyId)
  if (!policy) throw unknownFraudPolicy('fraudPolicyId')
  return { ...wanted, details: { ...wanted.details, fraudPolicyName: policy.name } }
}

/** With what the app adds, as it is now: later changes of the app leave the payment as it is. */
const detailsOf = ({ checkoutHost, statementDescriptor: statement }: App, { details }: NewPayment) => ({
  ...(statement ? { statement } : {}),
  ...details,
  ...(checkoutHost ? { checkoutHost } : {}),
})

async function insert(
  ctx: Context,
  app: App,
  wanted: NewPayment,
  first: (draft: Payment) => Change | Promise<Change>,
): Promise<Applied | undefined> {
  const now = appNow(ctx, app)
  // Copied member by member: a rest spread is ten times slower.
  const draft: Payment = {
    flow: wanted.flow,
    referenceId: wanted.referenceId,
    amountMinor: wanted.amountMinor,
    currency: wanted.currency,
    autoCapture: wanted.autoCapture,
    autoPayment: wanted.autoPayment,
    customerId: wanted.customerId,
    returnUrl: wanted.returnUrl,
    webhookUrl: wanted.webhookUrl,
    expirationTime: wanted.expirationTime,
    details: detailsOf(app, wanted),
    appId: app.appId,
    paymentId: await paymentIds(ctx).next(),
    paymentKey: newPaymentKey(ctx.random, app.appId),
    version: 0,
    sequence: 1,
    state: 'Created',
    capturedMinor: 0n,
    refundedMinor: 0n,
    fraudStatus: 'Unknown',
    createdTime: now,
    stateTime: now,
    attempt: 0,
    attemptKey: null,
    profileId: null,
    method: null,
    paymentMethodId: null,
    tokenId: null,
    handles: null,
    payInfo: null,
    authorisedUntil: null,
    redirectUrl: null,
    failure: null,
    lastError: null,
  }
  return applyCreation(ctx, app, draft, { change: await first(draft), customer: wanted.customer })
}

function checkExpiration(ctx: Context, app: App, { expirationTime }: NewPayment): void {
  if (expirationTime && expirationTime <= appNow(ctx, app))
    throw new ApiError('not_possible', 'expirationTime has passed: the link could never be used.')
}

/** Throws when no provider profile takes such a payment. */
export function checkOffers(
  ctx: Context,
  app: App,
  wanted: Pick<NewPayment, 'currency' | 'autoCapture' | 'amountMinor'> & {
    readonly details: Pick<
      NewPayment['details'],
      'customerOrder' | 'country' | 'paymentProfiles' | 'checkoutMethods' | 'threeDSecure'
    >
  },
): void {
  const { paymentProfiles, checkoutMethods } = wanted.details
  for (const profileId of paymentProfiles ?? [])
    if (!findProfile(app, profileId))
      throw new ApiError('profile_not_usable', `The app has no provider profile ${profileId}.`)
  const { currency, autoCapture } = wanted
  const able = offersFor(ctx, app, {
    currency,
    autoCapture,
    country: payerCountry(wanted),
    profiles: paymentProfiles,
    methods: checkoutMethods,
    threeDSecure: wanted.details.threeDSecure,
  })
  takingAmount(ctx, able, wanted)
}

/** The offers whose provider takes the amount. Throws when there is none. */
function takingAmount(
  ctx: Context,
  offers: readonly Offer[],
  { currency, amountMinor }: Pick<NewPayment, 'currency' | 'amountMinor'>,
): readonly Offer[] {
  const [first] = offers
  if (!first) throw noProfile(currency)
  const taking = offers.filter((offer) => amountObstacle(ctx, offer, { currency, amountMinor }) === undefined)
  if (taking.length > 0) return taking
  const found = amountObstacle(ctx, first, { currency, amountMinor })
  const message = found ? obstacleText(found) : ''
  throw new ApiError('amount_out_of_bounds', `${message}.`, {
    errors: [{ field: 'amount', message: `${message}.` }],
  })
}

const noProfile = (currency: string): ApiError =>
  new ApiError(
    'no_profile_for_currency',
    `Can not find any profile for the app for specific currency ${currency} ` +
      'and what else the payment asks for.',
  )

function pageOffer(ctx: Context, app: App, wanted: NewPayment, profileId: number): Offer {
  const profile = findProfile(app, profileId)
  if (!profile?.isActive)
    throw new ApiError('profile_not_usable', `The app has no active provider profile ${profileId}.`)
  const { currency, autoCapture } = wanted
  const { threeDSecure } = wanted.details
  const country = payerCountry(wanted)
  const asking = { currency, autoCapture, country, profiles: [profileId], threeDSecure }
  const [offer] = takingAmount(ctx, offersFor(ctx, app, asking), wanted)
  assert(offer, 'takingAmount returns at least one offer')
  const { amountMinor } = wanted
  return withThreeDSecure(app, offer, { ...asking, amountMinor })
}

/** The registration of the method at the first profile, in routing order, that can charge it. */
function bestStoredOffer(ctx: Context, app: App, wanted: NewPayment, chosen: MethodRegistration): PayWith {
  const { currency, autoCapture, amountMinor, referenceId } = wanted
  const everywhere = registrationsOf(ctx, app, chosen.method)
  const profiles = everywhere.map(({ profileId }) => profileId)
  const able = takingAmount(
    ctx,
    offersFor(ctx, app, { currency, autoCapture, profiles, isStored: true, isPayerAbsent: true }),
    wanted,
  )
  const offers = everywhere.flatMap(({ profileId, kind }) =>
    able.filter(
      ({ profile, method, abilities }) =>
        profile.profileId === profileId && method === kind && abilities.chargeStored,
    ),
  )
  const brand = chosen.method.card?.brand
  const asking = { currency, amountMinor, country: payerCountry(wanted), brand, seed: referenceId }
  const [offer] = routed(ctx, app, offers, { ...asking, isPaying: true })
  const there = everywhere.find(({ profileId }) => profileId === offer?.profile.profileId)
  if (!offer || !there)
    throw new ApiError('profile_not_usable', "The method's provider cannot charge it like this.")
  return payWithStored(offer, there)
}
