import { describe, expect, it } from 'vitest'
import { ENUMERATIONS, SUBSCRIBED } from '../../../src/providers/btcpay/enumerations.ts'
import { isListed } from '../../../src/providers/enumerations.ts'
import { enumerationIn, hasDescriptions } from '../kit/descriptions.ts'

describe('the values of a BTCPay Server', () => {
  it('are in one list each', () => {
    for (const { handled, ignored } of Object.values(ENUMERATIONS)) {
      const all: readonly string[] = [...handled, ...ignored]
      expect(new Set(all).size).toBe(all.length)
    }
    expect(isListed(ENUMERATIONS['invoice status'], 'Frozen')).toBe(false)
  })

  it.skipIf(!hasDescriptions).each([
    ['invoice status', 'InvoiceStatus'],
    ['additional status', 'InvoiceAdditionalStatus'],
    ['payment status', 'PaymentStatus'],
  ] as const)('are those of the official description: %s', (name, schema) => {
    const values = enumerationIn('btcpay-greenfield.json', 'components', 'schemas', schema)
    expect(values.length).toBeGreaterThan(2)
    expect(values.filter((value) => !isListed(ENUMERATIONS[name], value))).toEqual([])
  })

  it('that are subscribed to are handled', () => {
    expect(ENUMERATIONS.event.handled).toEqual(expect.arrayContaining([...SUBSCRIBED]))
  })
})
