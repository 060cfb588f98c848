import type { SandboxMethod } from '../values/named.ts'
import { CRYPTO_ADDRESSES } from '../values/values.ts'
import type { Keys } from './keys.ts'
import { earliest } from './rules/advance.ts'
import {
  type BankMethod,
  disputesOf,
  type Instrument,
  idPart,
  type LedgerPayment,
  type Setup,
} from './rules/payment.ts'

/** JSON representations of the bank's API. */
export interface Views {
  payment(payment: LedgerPayment): object
  page(payment: LedgerPayment): object
  stored(account: string, stored: BankMethod, setup: Setup): object
}

export function createViews(keys: Keys, publicUrl: string): Views {
  const address = (payment: LedgerPayment) =>
    payment.page && `${publicUrl}/sandbox/${payment.page.kind}/${keys.session(payment.account, payment.id)}`
  return {
    payment: (payment) => ({
      id: payment.id,
      reference: payment.reference,
      method: payment.method,
      status: payment.status,
      amount: payment.amount,
      currency: payment.currency,
      url: address(payment),
      urlExpires: payment.page?.until,
      waitsFor: payment.waitsFor,
      nextChange: payment.waitsFor && earliest({ payment })?.at,
      decline: payment.decline,
      authorisation: payment.authorised === undefined ? undefined : `aut_${idPart(payment.id)}`,
      authorised: payment.authorised,
      authorisedUntil: payment.authorisedUntil,
      capture: payment.captured > 0 ? `cap_${idPart(payment.id)}` : undefined,
      captured: payment.captured,
      refunded: payment.refunded,
      refunds: payment.refunds.map(({ id, operationKey, amount, status, problem }) => {
        return { id, operationKey, amount, status, problem }
      }),
      fee: payment.fee,
      overpaid: payment.overpaid,
      disputes: disputesOf(payment),
      returned: payment.returned,
      payer: payer(payment),
      card: card(payment),
      stored: stored(payment),
      risk: payment.risk,
      checks: payment.checks,
      threeDSecure: payment.threeDSecure,
    }),
    page: (payment) => ({
      kind: payment.page?.kind,
      method: payment.method,
      status: payment.status,
      amount: payment.amount,
      currency: payment.currency,
      description: payment.description,
      until: payment.page?.until,
      back: payment.back,
      card: card(payment),
      decline: payment.decline,
      addresses: payment.method === 'Crypto' ? CRYPTO_ADDRESSES : undefined,
    }),
    stored: storedView(keys, publicUrl),
  }
}

const storedView =
  (keys: Keys, publicUrl: string): Views['stored'] =>
  (account, { token, method, instrument }, { status, decline, until, back }) => ({
    token,
    method,
    status,
    label: labelOf(method, instrument),
    fingerprint: instrument.fingerprint,
    card: card({ instrument }),
    url:
      status === 'needs-customer' ? `${publicUrl}/sandbox/keep/${keys.session(account, token)}` : undefined,
    urlExpires: until,
    decline,
    back,
  })

function payer({ instrument, customer }: LedgerPayment) {
  return {
    fullName: instrument?.holder ?? customer.name,
    email: instrument?.email ?? customer.email,
    country: instrument?.country,
  }
}

function card({ instrument }: Pick<LedgerPayment, 'instrument'>) {
  if (!instrument?.brand) return undefined
  const { brand, type, last4, expiryMonth, expiryYear, country, wallet } = instrument
  return { brand, type, last4, expiryMonth, expiryYear, country, wallet }
}

function stored(payment: LedgerPayment) {
  const { stored: token, store, instrument } = payment
  if (!token || !store || !instrument) return undefined
  return { token, label: labelOf(payment.method, instrument), fingerprint: instrument.fingerprint }
}

/** Masked display text. */
function labelOf(method: SandboxMethod, { brand, last4, email }: Instrument): string {
  if (method === 'Paypal') return `PayPal ${(email ?? '').replace(/^(.)[^@]*/, '$1•••')}`
  return `${method === 'CreditCard' ? (brand ?? 'Card') : 'Bank account'} •••• ${last4 ?? ''}`
}
