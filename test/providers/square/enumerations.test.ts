import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENUMERATIONS } from '../../../src/providers/square/enumerations.ts'
import { FOLDER, hasDescriptions } from '../kit/descriptions.ts'

interface Schema {
  readonly enum?: string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

const schemaOf = (name: string): Schema | undefined =>
  (
    JSON.parse(readFileSync(join(FOLDER, 'square-payments-2025-08-20.json'), 'utf8')) as {
      components: { schemas: Record<string, Schema> }
    }
  ).components.schemas[name]

const valuesOf = ({ handled, ignored }: { handled: readonly string[]; ignored: readonly string[] }) =>
  [...handled, ...ignored].toSorted()

describe.skipIf(!hasDescriptions)('every value of Square’s description is handled or ignored', () => {
  it.each([
    ['orderState', 'OrderState'],
    ['tenderStatus', 'TenderCardDetailsStatus'],
  ] as const)('%s', (name, schema) => {
    expect(valuesOf(ENUMERATIONS[name])).toEqual(schemaOf(schema)?.enum?.toSorted())
  })

  /** These are texts whose description names the values. */
  it.each([
    ['paymentStatus', 'Payment'],
    ['refundStatus', 'PaymentRefund'],
  ] as const)('%s', (name, schema) => {
    const text = schemaOf(schema)?.properties?.status?.description ?? ''
    expect(valuesOf(ENUMERATIONS[name])).toEqual([...new Set(text.match(/\b[A-Z]{4,}\b/g))].toSorted())
  })
})
