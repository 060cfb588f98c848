import { createHash } from 'node:crypto'
import { cut, folded } from '../base/text.ts'
import { present } from './kit/json.ts'
import type { PostalAddress } from './payer/payer.ts'
import type { Purchase } from './port.ts'
import type { TextLimits } from './text-limits.ts'

/**
 * Shortens the texts of a purchase to a provider's limits. The API accepts multi-line descriptions of
 * thousands of characters, and every accepted payment must be payable, so adapters call this before sending.
 * Decision 0099.
 */
export function fitPurchase(purchase: Purchase, limits: TextLimits): Purchase {
  const { description, customer, billing, shipping, ...rest } = purchase
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
    ...present({
      description: fitText(description, limits.description),
      billing: billing && fitAddress(billing, limits),
      shipping: shipping && fitAddress(shipping, limits),
    }),
  }
}

/** The smallest limits of the providers that take an address. */
const ADDRESS = { line: 300, city: 120, state: 300, postalCode: 60 }

/** An address that had to be cut would be another one, so it is omitted instead. Only the name is cut. */
function fitAddress(address: PostalAddress, limits: TextLimits): PostalAddress | undefined {
  const { name, line1, line2, city, state, postalCode, country } = address
  const whole = (text: string | undefined, most: number) => {
    const fitted = text === undefined ? undefined : folded(text) || undefined
    return { text: fitted, isCut: fitted !== undefined && fitted.length > most }
  }
  const parts = {
    line1: whole(line1, ADDRESS.line),
    line2: whole(line2, ADDRESS.line),
    city: whole(city, ADDRESS.city),
    state: whole(state, ADDRESS.state),
    postalCode: whole(postalCode, ADDRESS.postalCode),
  }
  if (!parts.line1.text || !parts.city.text || Object.values(parts).some(({ isCut }) => isCut))
    return undefined
  return {
    line1: parts.line1.text,
    city: parts.city.text,
    country,
    ...present({
      name: fitText(name, limits.name),
      line2: parts.line2.text,
      state: parts.state.text,
      postalCode: parts.postalCode.text,
    }),
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
