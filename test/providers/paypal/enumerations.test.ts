import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENUMERATIONS } from '../../../src/providers/paypal/enumerations.ts'
import { FOLDER, hasDescriptions } from '../kit/descriptions.ts'

interface Schemas {
  readonly [name: string]: {
    readonly properties?: Record<string, { enum?: string[] }>
    readonly enum?: string[]
  }
}

const schemasOf = (file: string): Schemas =>
  (JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { components: { schemas: Schemas } }).components
    .schemas

const valuesOf = ({ handled, ignored }: { handled: readonly string[]; ignored: readonly string[] }) =>
  [...handled, ...ignored].toSorted()

describe.skipIf(!hasDescriptions)('every value of PayPal’s description is handled or ignored', () => {
  const payments = 'paypal-payments-v2.5.json'
  it.each([
    ['orderStatus', 'paypal-checkout-orders-v2.13.json', 'order_status', undefined],
    ['authorizationStatus', payments, 'authorization_status', 'status'],
    ['captureStatus', payments, 'capture_status', 'status'],
    ['captureReason', payments, 'capture_status_details', 'reason'],
    ['refundStatus', payments, 'refund_status', 'status'],
  ] as const)('%s', (name, file, schema, member) => {
    const described = schemasOf(file)[schema]
    const values = member ? described?.properties?.[member]?.enum : described?.enum
    expect(valuesOf(ENUMERATIONS[name])).toEqual(values?.toSorted())
  })
})

it('no event is named twice', () => {
  const names = valuesOf(ENUMERATIONS.event)
  expect(new Set(names).size).toBe(names.length)
})
