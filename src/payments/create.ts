import { ApiError } from '../base/errors.ts'
import { newPaymentKey } from '../base/ids.ts'
import { decimalText } from '../base/money.ts'
import type { Context } from '../context.ts'
import { findCustomer } from '../customers/commands.ts'
import { chooseStoredMethod, type StoredMethod } from '../customers/methods.ts'
import { type App, appNow, findProfile } from '../merchants/app.ts'
import { type Offer, offersFor } from '../routing/offers.ts'
import { type Applied, applyCreation } from './apply.ts'
import { attemptChange, type PayWith, pay } from './attempts.ts'
import type { Change } from './changes.ts'
import { drive } from './operations/drive.ts'
import type { Payment } from './payment.ts'
import { findByReference, nextPaymentId } from './store.ts'
import type { NewPayment } from './wire/request.ts'

export interface Created {
  readonly payment: Payment
  /** The reference was used before: this is the payment it made then. */
  readonly replayed: boolean
}

/** A payment for our own checkout, or for a link of it. */
export function createPayment(ctx: Context, app: App, wanted: NewPayment): Promise<Created> {
  return orReplay(ctx, app, asked(wanted), async () => {
    checkExpiration(ctx, app, wanted)
    checkOffers(ctx, app, wanted)
    return insert(ctx, app, wanted, () => ({ events: [] }))
  })
}

/** A payment on one provider's own page, which is opened at once. */
export async function createOnProviderPage(
  ctx: Context,
  app: App,
  wanted: NewPayment,
  profileId: number,
): Promise<Created> {
  const how = () => ({ offer: pageOffer(ctx, app, wanted, profileId) })
  const created = await orReplay(ctx, app, asked(wanted), async () => {
    checkExpiration(ctx, app, wanted)
    const first = how()
    const applied = await insert(ctx, app, wanted, (draft) => attemptChange(ctx, draft, first))
    return applied && { payment: await drive(ctx, app, applied) }
  })
  const { payment } = created
  const needsPage = payment.state === 'Created' && payment.redirectUrl === null && created.replayed
  return needsPage ? { payment: await pay(ctx, app, payment, how()), replayed: true } : created
}

export interface StoredMethodChoice {
  readonly paymentMethodId?: number | undefined
  readonly tokenId?: number | undefined
}

/** A charge of a stored method, without the customer. The answer's state is the result. */
export function createAutoPayment(
  ctx: Context,
  app: App,
  choice: StoredMethodChoice & Pick<Asked, 'referenceId' | 'customerId'>,
  read: (defaultCurrency: string) => NewPayment,
): Promise<Created> {
  // Without a currency in the request, a repeat means the currency of the payment it made.
  const repeated: Asked = { ...choice, again: (existing) => read(existing.currency) }
  return orReplay(ctx, app, repeated, async () => {
    const chosen = await chooseStoredMethod(ctx, app, choice.customerId, choice)
    const wanted = read(chosen.profile.currency)
    const how: PayWith = {
      offer: storedOffer(ctx, app, wanted, chosen),
      token: chosen.token,
      paymentMethodId: chosen.paymentMethodId,
      tokenId: chosen.tokenId,
    }
    const applied = await insert(ctx, app, wanted, (draft) => attemptChange(ctx, draft, how))
    return applied && { payment: await drive(ctx, app, applied, how) }
  })
}

interface Asked {
  readonly referenceId: string
  readonly customerId: string
  /** What the request asks for, held against the payment that its reference made before. */
  readonly again: (existing: Payment) => NewPayment
}

const asked = (wanted: NewPayment): Asked => ({ ...wanted, again: () => wanted })

/** What stands in the way of a new payment does not stand in the way of reading an old one back. */
async function orReplay(
  ctx: Context,
  app: App,
  request: Asked,
  create: () => Promise<Pick<Applied, 'payment'> | undefined>,
): Promise<Created> {
  let refused: ApiError | undefined
  try {
    const applied = await create()
    if (applied) return { payment: applied.payment, replayed: false }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 404) throw error
    refused = error
  }
  const existing = await findByReference(ctx.db, app.appId, request.referenceId)
  if (existing) return replay(request.again(existing), existing)
  throw refused ?? (await refusal(ctx, app, request.customerId))
}

/** The same request again gives the same payment; the same reference for other money is a mistake. */
function replay(wanted: NewPayment, existing: Payment): Created {
  const same =
    existing.flow === wanted.flow &&
    existing.amountMinor === wanted.amountMinor &&
    existing.currency === wanted.currency &&
    existing.autoCapture === wanted.autoCapture
  if (same) return { payment: existing, replayed: true }
  const amount = `${decimalText(existing.amountMinor, existing.currency)} ${existing.currency}`
  throw new ApiError(
    'reference_id_reused',
    `ProviderReferenceId already used: payment ${existing.paymentId} has this referenceId for ${amount}.`,
    { members: { paymentId: existing.paymentId } },
  )
}

/** The statement wrote nothing and no payment has the reference: then the customer is blocked. */
async function refusal(ctx: Context, app: App, customerId: string): Promise<ApiError> {
  const customer = await findCustomer(ctx, app.appId, customerId)
  if (customer?.isBlocked) return new ApiError('customer_blocked', 'The customer is blocked and cannot pay.')
  return new ApiError('unavailable', 'The payment could not be written. Try again.', {
    headers: { 'retry-after': '1' },
  })
}

async function insert(
  ctx: Context,
  app: App,
  wanted: NewPayment,
  begin: (draft: Payment) => Change,
): Promise<Applied | undefined> {
  const { customer, ...fields } = wanted
  const now = appNow(ctx, app)
  const draft: Payment = {
    ...fields,
    appId: app.appId,
    paymentId: await nextPaymentId(ctx.db),
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
  return applyCreation(ctx, app, draft, { change: begin(draft), customer })
}

function checkExpiration(ctx: Context, app: App, { expirationTime }: NewPayment): void {
  if (expirationTime && expirationTime <= appNow(ctx, app))
    throw new ApiError('not_possible', 'expirationTime has passed: the link could never be used.')
}

function checkOffers(ctx: Context, app: App, wanted: NewPayment): void {
  const { paymentProfiles, checkoutMethods } = wanted.details
  for (const profileId of paymentProfiles ?? [])
    if (!findProfile(app, profileId))
      throw new ApiError('profile_not_usable', `The app has no provider profile ${profileId}.`)
  const { currency, autoCapture } = wanted
  const offers = offersFor(ctx, app, {
    currency,
    autoCapture,
    profiles: paymentProfiles,
    methods: checkoutMethods,
  })
  if (offers.length === 0) throw noProfile(currency)
}

const noProfile = (currency: string): ApiError =>
  new ApiError(
    'no_profile_for_currency',
    `Can not find any profile for the app for specific currency ${currency} and what else the payment asks for.`,
  )

function pageOffer(ctx: Context, app: App, wanted: NewPayment, profileId: number): Offer {
  const profile = findProfile(app, profileId)
  if (!profile?.isActive)
    throw new ApiError('profile_not_usable', `The app has no active provider profile ${profileId}.`)
  const { currency, autoCapture } = wanted
  const [offer] = offersFor(ctx, app, { currency, autoCapture, profiles: [profileId] })
  if (!offer) throw noProfile(currency)
  return offer
}

function storedOffer(ctx: Context, app: App, wanted: NewPayment, chosen: StoredMethod): Offer {
  const { currency, autoCapture } = wanted
  const offers = offersFor(ctx, app, { currency, autoCapture, profiles: [chosen.profile.profileId] })
  if (offers.length === 0) throw noProfile(currency)
  const offer = offers.find(({ method, abilities }) => method === chosen.kind && abilities.chargeStored)
  if (!offer) throw new ApiError('profile_not_usable', "The method's provider cannot charge it like this.")
  return offer
}
