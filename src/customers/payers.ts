/**
 * A payer of a payment link who is asked for no name is a customer with an id of the service. The merchant
 * does not know such a customer, so lists leave it out until something is known. Pure.
 */

const PREFIX = 'payer-'
const PART = 24

/** `part`: lower-case letters and digits that no other payer of the app has. */
export const payerIdOf = (part: string): string => PREFIX + part.slice(0, PART)

export const isPayerId = (customerId: string): boolean => /^payer-[0-9a-z]{24}$/.test(customerId)

/**
 * The same expression as in the index customers_by_time. Nothing that another index is about may imply it: an
 * empty table would let the planner look for a blocked customer there.
 */
export const knownCustomer = (c: string): string =>
  `(${c}.customer_id !~ '^payer-[0-9a-z]{24}$' or ${c}.first_name is not null or ${c}.last_name is not null
    or ${c}.email is not null or ${c}.mobile_number is not null)`
