import { type Enumerations, isListed } from '../enumerations.ts'

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
