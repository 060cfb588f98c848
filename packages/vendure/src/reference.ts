import type { Order } from '@vendure/core'

/** The most payments that one total of one order may have, ended ones included. */
export const MAX_TRIES = 20

/**
 * References of payments: the order's code, its total and its currency, so that a changed cart has another
 * one. A payment that has ended keeps its reference; the next one for the same total is numbered.
 */
export const referenceOf = ({ code, totalWithTax, currencyCode }: Order, attempt: number): string =>
  `${code}-${totalWithTax}${currencyCode}${attempt === 1 ? '' : `-${attempt}`}`

/** The order's code in a reference of this plugin; undefined for other payments of the app. */
export const orderCodeIn = (reference: string): string | undefined =>
  /^(?<code>.+)-\d+[A-Z]{3}(-\d+)?$/s.exec(reference)?.groups?.code

/** A decimal in major units. Vendure counts every currency in the same fraction, also those without one. */
export function decimalOf(amount: number, precision: number): string {
  const digits = String(amount).padStart(precision + 1, '0')
  const fraction = digits.slice(digits.length - precision).replace(/0+$/, '')
  return digits.slice(0, digits.length - precision) + (fraction && `.${fraction}`)
}

export const integerOf = (amount: number, precision: number): number => Math.round(amount * 10 ** precision)
