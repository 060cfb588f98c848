import type { Money } from '../../base/money.ts'
import { type Enumerations, words } from '../enumerations.ts'
import {
  itemsAt,
  type Json,
  jsonIn,
  listAt,
  matching,
  objectAt,
  present,
  textAt,
  timeAt,
  webUrlAt,
} from '../kit/json.ts'
import { messageOf } from '../kit/reply.ts'
import { amountAt } from './amounts.ts'

/** Ids end up in paths, so nothing else than an id is sent. */
export const isId = matching(/^[A-Za-z0-9_]{1,64}$/)

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
  readonly details: Json
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
export function paymentIn(object: Json): MolliePayment | undefined {
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
      checkoutUrl: webUrlAt(object, '_links', 'checkout', 'href'),
      expiresAt: timeAt(object, 'expiresAt'),
      captureBefore: timeAt(object, 'captureBefore'),
      settled: amountAt(object, 'settlementAmount'),
      capturedSum: amountAt(object, 'amountCaptured'),
    }),
  }
}

const embedded = (object: Json, name: string) =>
  itemsAt(object, '_embedded', name) && listAt(object, '_embedded', name)

/** Lists that the payment has, but does not embed. */
export const missingLists = (object: Json): readonly ('captures' | 'refunds' | 'chargebacks')[] =>
  (['captures', 'refunds', 'chargebacks'] as const).filter(
    (name) => textAt(object, '_links', name, 'href') !== undefined && !embedded(object, name),
  )

function movementsIn(object: Json, name: 'captures' | 'refunds') {
  const found = (embedded(object, name) ?? []).map(movementIn)
  return found.every((one) => one !== undefined) ? found : undefined
}

/** A capture or a refund. Undefined if it cannot be read. */
export function movementIn(object: Json): MollieCapture | undefined {
  const [id, status, amount] = [textAt(object, 'id'), textAt(object, 'status'), amountAt(object, 'amount')]
  if (!isId(id) || status === undefined || !amount) return undefined
  const members = { operationKey: textAt(metadataIn(object), 'key'), createdAt: timeAt(object, 'createdAt') }
  return { id, status, amount, ...present(members) }
}

/** Mollie may show the object that it was given as a text. */
export function metadataIn(object: Json): Json {
  const text = textAt(object, 'metadata')
  return text === undefined ? objectAt(object, 'metadata') : objectAt(jsonIn(Buffer.from(text)))
}

function chargebackIn(object: Json, place: number): MollieChargeback {
  return {
    id: textAt(object, 'id') ?? `chargeback ${place + 1}`,
    isReversed: timeAt(object, 'reversedAt') !== undefined,
    ...present({ amount: amountAt(object, 'amount'), reason: textAt(object, 'reason', 'code') }),
  }
}

function failureIn(object: Json, details: Json): MolliePayment['failure'] {
  const reason = objectAt(object, 'statusReason')
  const code = textAt(details, 'failureReason') ?? textAt(reason, 'code')
  const message = textAt(details, 'failureMessage') ?? textAt(reason, 'message')
  return messageOf({ code, message })
}

// ---- enumerations -----------------------------------------------------------------------------------------

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
