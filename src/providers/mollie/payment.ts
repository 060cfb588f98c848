import type { Money } from '../../base/money.ts'
import { cut, folded, parseUrl } from '../../base/text.ts'
import { type Enumerations, isListed } from '../enumerations.ts'
import { amountAt } from './amounts.ts'
import { isId, linkAt, listAt, type MollieJson, objectAt, textAt, timeAt } from './wire.ts'

/** Pure: a payment as Mollie shows it. */
export interface MolliePayment {
  readonly id: string
  readonly status: string
  readonly amount: Money
  /** Our reference of the attempt. */
  readonly reference?: string
  readonly method?: string
  readonly isManual: boolean
  readonly sequence?: string
  readonly customer?: string
  readonly mandate?: string
  readonly checkoutUrl?: string
  readonly expiresAt?: Date
  readonly isCancelable: boolean
  readonly wasAuthorised: boolean
  readonly captureBefore?: Date
  readonly settled?: Money
  readonly details: MollieJson
  readonly failure: { readonly code?: string; readonly message?: string }
  readonly captures: readonly MollieCapture[]
  readonly refunds: readonly MollieRefund[]
  readonly chargebacks: readonly MollieChargeback[]
  /** If the captures are not listed. */
  readonly capturedSum?: Money
}

export interface MollieCapture {
  readonly id: string
  readonly status: string
  readonly amount: Money
  readonly operationKey?: string
  readonly createdAt?: Date
}

export type MollieRefund = MollieCapture

export interface MollieChargeback {
  readonly id: string
  readonly amount?: Money
  readonly reason?: string
  readonly isReversed: boolean
}

/** Undefined if a member that decides about money cannot be read. */
export function paymentIn(object: MollieJson): MolliePayment | undefined {
  const [id, status, amount] = [textAt(object, 'id'), textAt(object, 'status'), amountAt(object, 'amount')]
  const [captures, refunds] = [movementsIn(object, 'captures'), movementsIn(object, 'refunds')]
  if (!isId(id) || status === undefined || !amount || !captures || !refunds) return undefined
  const details = objectAt(object, 'details')
  return {
    ...{ id, status, amount, captures, refunds, details, failure: failureIn(object, details) },
    isManual: textAt(object, 'captureMode') === 'manual',
    isCancelable: object.isCancelable !== false,
    wasAuthorised: timeAt(object, 'authorizedAt') !== undefined,
    chargebacks: (embedded(object, 'chargebacks') ?? []).map(chargebackIn),
    ...present({
      reference: textAt(metadataIn(object), 'reference'),
      method: textAt(object, 'method'),
      sequence: textAt(object, 'sequenceType'),
      customer: textAt(object, 'customerId'),
      mandate: textAt(object, 'mandateId'),
      checkoutUrl: webAddress(linkAt(object, 'checkout')),
      expiresAt: timeAt(object, 'expiresAt'),
      captureBefore: timeAt(object, 'captureBefore'),
      settled: amountAt(object, 'settlementAmount'),
      capturedSum: amountAt(object, 'amountCaptured'),
    }),
  }
}

const embedded = (object: MollieJson, name: string) => listAt(objectAt(object, '_embedded'), name)

/** Lists that the payment has, but does not embed. */
export const missingLists = (object: MollieJson): readonly ('captures' | 'refunds' | 'chargebacks')[] =>
  (['captures', 'refunds', 'chargebacks'] as const).filter(
    (name) => linkAt(object, name) !== undefined && !embedded(object, name),
  )

function movementsIn(object: MollieJson, name: 'captures' | 'refunds') {
  const found = (embedded(object, name) ?? []).map(movementIn)
  return found.every((one) => one !== undefined) ? found : undefined
}

/** A capture or a refund. Undefined if it cannot be read. */
export function movementIn(object: MollieJson): MollieCapture | undefined {
  const [id, status, amount] = [textAt(object, 'id'), textAt(object, 'status'), amountAt(object, 'amount')]
  if (!isId(id) || status === undefined || !amount) return undefined
  const members = { operationKey: textAt(metadataIn(object), 'key'), createdAt: timeAt(object, 'createdAt') }
  return { id, status, amount, ...present(members) }
}

/** Mollie may show the object that it was given as a text. */
export function metadataIn(object: MollieJson): MollieJson {
  const text = textAt(object, 'metadata')
  if (text === undefined) return objectAt(object, 'metadata')
  try {
    return objectAt(JSON.parse(text))
  } catch {
    return {}
  }
}

function chargebackIn(object: MollieJson, place: number): MollieChargeback {
  return {
    id: textAt(object, 'id') ?? `chargeback ${place + 1}`,
    isReversed: timeAt(object, 'reversedAt') !== undefined,
    ...present({ amount: amountAt(object, 'amount'), reason: textAt(objectAt(object, 'reason'), 'code') }),
  }
}

function failureIn(object: MollieJson, details: MollieJson): MolliePayment['failure'] {
  const reason = objectAt(object, 'statusReason')
  const code = textAt(details, 'failureReason') ?? textAt(reason, 'code')
  const message = textAt(details, 'failureMessage') ?? textAt(reason, 'message')
  return present({
    code: code && cut(folded(code), 100),
    message: message && cut(folded(message), 500),
  })
}

/** Customers follow the address, so nothing but a web address is passed on. */
const webAddress = (url: string | undefined): string | undefined =>
  /^https?:$/.test(parseUrl(url ?? '')?.protocol ?? '') ? url : undefined

/** Removes undefined members. */
function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}

// ---- enumerations -----------------------------------------------------------------------------------------

const words = (text: string): readonly string[] => text.split(' ')

/** Every value that Mollie's reference has for payments, captures, refunds and mandates. */
export const ENUMERATIONS = {
  paymentStatus: {
    handled: words('open pending authorized paid canceled expired failed'),
    ignored: [],
  },
  captureStatus: { handled: words('pending succeeded failed'), ignored: [] },
  refundStatus: { handled: words('queued pending processing refunded failed canceled'), ignored: [] },
  mandateStatus: { handled: words('valid pending invalid'), ignored: [] },
} as const satisfies Enumerations

type Name = keyof typeof ENUMERATIONS

/** Values that Mollie's reference does not have, as texts to count. */
export const unlistedOf = (values: readonly (readonly [Name, string])[]): string[] =>
  values.flatMap(([name, value]) =>
    isListed(ENUMERATIONS[name], value) ? [] : [`${name} ${value}`.slice(0, 100)],
  )
