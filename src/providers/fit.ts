import { createHash } from 'node:crypto'
import { cut, folded } from '../base/text.ts'
import type { Purchase, TextLimits } from './port.ts'

/**
 * The texts of a purchase as a provider takes them. Shops send descriptions of several lines and thousands of
 * characters, and every text that the API accepts must be payable; an adapter calls this before it sends one.
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

/** On one line and cut to the limit; undefined when nothing is left. */
export function fitText(text: string | undefined, maxLength: number): string | undefined {
  return text === undefined ? undefined : cut(folded(text), maxLength) || undefined
}

/** An address that is cut belongs to another person: it is sent whole or not at all. */
function wholeText(text: string | undefined, maxLength: number): string | undefined {
  return text !== undefined && isPlain(text, maxLength) ? text : undefined
}

/** Two ids never become the same: one that does not fit is replaced by its hash. */
function fitId(id: string, maxLength: number): string {
  if (isPlain(id, maxLength)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, maxLength)
}

const isPlain = (text: string, maxLength: number): boolean =>
  text !== '' && text.length <= maxLength && folded(text) === text

/** Without the members that are undefined. */
function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}
