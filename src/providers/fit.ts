import { createHash } from 'node:crypto'
import { cut, folded } from '../base/text.ts'
import type { Purchase } from './port.ts'
import type { TextLimits } from './text-limits.ts'

/**
 * Shortens the texts of a purchase to a provider's limits. The API accepts multi-line descriptions of
 * thousands of characters, and every accepted payment must be payable, so adapters call this before sending.
 */
export function fitPurchase(purchase: Purchase, limits: TextLimits): Purchase {
  const { description, customer, ...rest } = purchase
  const { id, firstName, lastName, email, phone, ...others } = customer
  return {
    ...rest,
    customer: {
      ...others,
      id: fitId(id, limits.customerId),
      ...present({
        firstName: fitText(firstName, limits.name),
        lastName: fitText(lastName, limits.name),
        email: wholeText(email, limits.email),
        phone: wholeText(phone, limits.phone),
      }),
    },
    ...present({ description: fitText(description, limits.description) }),
  }
}

/** Joins lines and truncates to the limit. Returns undefined if the result is empty. */
export function fitText(text: string | undefined, maxLength: number): string | undefined {
  return text === undefined ? undefined : cut(folded(text), maxLength) || undefined
}

/** A truncated e-mail address or phone number may belong to another person, so it is omitted instead. */
function wholeText(text: string | undefined, maxLength: number): string | undefined {
  return text !== undefined && isPlain(text, maxLength) ? text : undefined
}

/** Replaces an id that does not fit by its hash, so that different ids stay different. */
function fitId(id: string, maxLength: number): string {
  if (isPlain(id, maxLength)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, maxLength)
}

const isPlain = (text: string, maxLength: number): boolean =>
  text !== '' && text.length <= maxLength && folded(text) === text

/** Removes undefined members. */
function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}
