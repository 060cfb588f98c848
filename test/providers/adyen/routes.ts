import { authorise, type Change, decide, refuse } from './money.ts'
import { type Answer, at, type Call, error, ID, type Route } from './route.ts'
import * as schemas from './schemas.ts'
import { METHOD_TYPES } from './schemas.ts'
import { type Amount, type Link, type LinkBody, newId, type Payment, type State } from './state.ts'
import { WEBHOOK_ROUTES } from './webhooks.ts'

const DAY = 86_400_000

function createLink({ state, body, refusal }: Call): Answer {
  if (refusal !== undefined) return error(422, refusal, 'The request is refused')
  const link = body as unknown as LinkBody
  const expiresAt = link.expiresAt ? Date.parse(String(link.expiresAt)) : state.now() + DAY
  if (expiresAt <= state.now() || expiresAt > state.now() + 70 * DAY)
    return error(422, '14_018', 'Invalid expiry date')
  if (link.amount.value === 0) return error(422, '137', 'Invalid amount specified')
  const stores = link.storePaymentMethodMode === 'enabled'
  if (stores && (!link.shopperReference || !link.recurringProcessingModel))
    return error(422, '14_011', 'shopperReference and recurringProcessingModel are required')
  const made: Link = { id: newId('PL'), body: link, expiresAt, status: 'active' }
  state.links.set(made.id, made)
  return { status: 201, body: linkView(state, made) }
}

const linkView = (state: State, { id, body, expiresAt, status }: Link): object => ({
  ...body,
  id,
  status,
  expiresAt: new Date(expiresAt).toISOString(),
  url: `${state.origin()}/pay/${id}`,
})

const NO_LINK = error(404, '14_010', 'Payment link not found')

function readLink({ state, id }: Call): Answer {
  const link = state.links.get(id)
  return link ? { status: 200, body: linkView(state, link) } : NO_LINK
}

function closeLink({ state, id }: Call): Answer {
  const link = state.links.get(id)
  if (!link) return NO_LINK
  if (link.status !== 'active') return error(422, '14_005', 'Payment link is not active')
  link.status = 'expired'
  const { reference, amount } = link.body
  if (state.paidOnClose.delete(reference)) authorise(state, { reference, amount, method: 'visa' })
  return { status: 200, body: linkView(state, link) }
}

/** Refusal codes that tests use, with Adyen's text. */
const REFUSALS: Readonly<Record<string, string>> = {
  ...{ '2': 'Refused', '5': 'Blocked Card', '6': 'Expired Card', '12': 'Not enough balance', '20': 'FRAUD' },
  ...{ '24': 'CVC Declined', '38': 'Authentication required' },
}
export const refusalText = (code: string): string => REFUSALS[code] ?? code

function pay({ state, body, key, refusal, isDelayed }: Call): Answer {
  const { reference, amount, paymentMethod, shopperReference, additionalData } = body as {
    reference: string
    amount: Amount
    paymentMethod: { type: string; storedPaymentMethodId: string }
    shopperReference?: string
    additionalData?: { manualCapture?: string }
  }
  const stored = state.stored.get(paymentMethod.storedPaymentMethodId)
  if (!stored || stored.shopper !== shopperReference || stored.type !== paymentMethod.type)
    return error(422, '803', 'PaymentDetail not found')
  if (additionalData?.manualCapture !== 'true') return error(422, '000', 'this account captures by hand')
  const method = stored.type === 'scheme' ? 'visa' : 'ach'
  const wanted = { reference, amount, method, key } as const
  const view = { merchantReference: reference, amount, paymentMethod: { type: stored.type, brand: method } }
  // The shopper would have to go on at the bank: nothing is decided, and nothing is told.
  if (refusal === 'RedirectShopper' || refusal === 'ChallengeShopper') {
    const action = {
      type: 'redirect',
      paymentMethodType: stored.type,
      method: 'GET',
      url: 'https://bank.example/',
    }
    return { status: 200, body: { ...view, pspReference: newId(), resultCode: refusal, action } }
  }
  if (refusal !== undefined) {
    const reason = refusalText(refusal)
    const pspReference = refuse(state, { ...wanted, reason })
    const refused = { resultCode: 'Refused', refusalReason: reason, refusalReasonCode: refusal }
    return { status: 200, body: { pspReference, merchantReference: reference, ...refused } }
  }
  if (isDelayed) {
    const pspReference = newId()
    state.delayed.push(() => void authorise(state, wanted))
    return { status: 200, body: { ...view, pspReference, resultCode: 'Received' } }
  }
  const { id: pspReference } = authorise(state, wanted)
  return { status: 200, body: { ...view, pspReference, resultCode: 'Authorised', additionalData: {} } }
}

const NO_PAYMENT = error(422, '167', 'Original pspReference required for this operation')

const modify =
  (kind: Change['kind']) =>
  ({ state, id, body, key, refusal, isDelayed }: Call): Answer => {
    const payment = state.payments.get(id)
    if (!payment) return NO_PAYMENT
    const { amount = payment.amount, reference } = body as { amount?: Amount; reference?: string }
    const pspReference = newId()
    const change: Change = { kind, amount, reference, key, ...(refusal === undefined ? {} : { refusal }) }
    act(state, isDelayed, () => decide(state, payment, pspReference, change))
    const { merchantAccount, merchantRefundReason } = body
    return {
      status: 201,
      body: {
        ...{ merchantAccount, pspReference, paymentPspReference: id, status: 'received' },
        ...(reference ? { reference } : {}),
        ...(kind === 'cancel' ? {} : { amount }),
        ...(merchantRefundReason ? { merchantRefundReason } : {}),
      },
    }
  }

function act(state: State, isDelayed: boolean, work: () => void): void {
  if (isDelayed) state.delayed.push(work)
  else work()
}

/** Adyen takes note at once, and looks for the payment afterwards. */
function cancelByReference({ state, body, key }: Call): Answer {
  const { merchantAccount, paymentReference, reference } = body as Record<string, string>
  const pspReference = newId()
  for (const payment of byReference(state, paymentReference ?? ''))
    decide(state, payment, pspReference, {
      ...({ kind: 'cancel', isTechnical: true } as const),
      ...{ amount: payment.amount, reference, key },
    })
  return {
    status: 201,
    body: {
      ...{ merchantAccount, paymentReference, pspReference, status: 'received' },
      ...(reference ? { reference } : {}),
    },
  }
}

export const byReference = (state: State, reference: string): Payment[] =>
  [...state.payments.values()].filter((payment) => payment.reference === reference)

function listStored({ state, query }: Call): Answer {
  const shopperReference = query.get('shopperReference') ?? ''
  const found = [...state.stored.values()].filter(({ shopper }) => shopper === shopperReference)
  const storedPaymentMethods = found.map(({ id, type }) => ({
    ...{ id, type, shopperReference, supportedRecurringProcessingModels: ['CardOnFile'] },
    ...(type === 'scheme' ? { brand: 'visa', expiryMonth: '03', expiryYear: '30', lastFour: '1111' } : {}),
  }))
  return { status: 200, body: { merchantAccount: state.account, shopperReference, storedPaymentMethods } }
}

function removeStored({ state, id, query }: Call): Answer {
  const stored = state.stored.get(id)
  if (stored?.shopper !== query.get('shopperReference')) return error(422, '800', 'Contract not found')
  state.stored.delete(id)
  return { status: 204 }
}

/** What is turned on for the merchant account. */
const METHODS = METHOD_TYPES.map((type) => ({ name: type, type }))

const STORED = ['merchantAccount', 'shopperReference']

export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: at('/v72/paymentLinks'),
    operation: 'start',
    check: schemas.LINK,
    run: createLink,
  },
  { method: 'GET', pattern: at(`/v72/paymentLinks/${ID}`), operation: 'read', run: readLink },
  {
    method: 'PATCH',
    pattern: at(`/v72/paymentLinks/${ID}`),
    operation: 'cancel',
    check: schemas.CLOSE,
    run: closeLink,
  },
  { method: 'POST', pattern: at('/v72/payments'), operation: 'charge', check: schemas.PAYMENT, run: pay },
  {
    method: 'POST',
    pattern: at(`/v72/payments/${ID}/captures`),
    operation: 'capture',
    check: schemas.CAPTURE,
    run: modify('capture'),
  },
  {
    method: 'POST',
    pattern: at(`/v72/payments/${ID}/refunds`),
    operation: 'refund',
    check: schemas.REFUND,
    run: modify('refund'),
  },
  {
    method: 'POST',
    pattern: at(`/v72/payments/${ID}/cancels`),
    operation: 'cancel',
    check: schemas.CANCEL,
    run: modify('cancel'),
  },
  {
    method: 'POST',
    pattern: at('/v72/cancels'),
    operation: 'cancel',
    check: schemas.CANCEL_BY_REFERENCE,
    run: cancelByReference,
  },
  {
    method: 'POST',
    pattern: at('/v72/paymentMethods'),
    check: schemas.METHODS,
    run: () => ({ status: 200, body: { paymentMethods: METHODS } }),
  },
  { method: 'GET', pattern: at('/v72/storedPaymentMethods'), query: STORED, run: listStored },
  { method: 'DELETE', pattern: at(`/v72/storedPaymentMethods/${ID}`), query: STORED, run: removeStored },
  ...WEBHOOK_ROUTES,
]
