import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENUMERATIONS, EVENTS } from '../../../src/providers/adyen/codes.ts'
import { isListed } from '../../../src/providers/enumerations.ts'
import { hasDescriptions } from '../kit/descriptions.ts'

const FOLDER = process.env.PROVIDER_DESCRIPTIONS ?? join(import.meta.dirname, '../../../../shared/providers')

interface Document {
  readonly paths: Readonly<Record<string, unknown>>
  readonly components: {
    readonly schemas: Readonly<
      Record<
        string,
        { readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>> }
      >
    >
  }
}
const read = (file: string): Document => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))

describe('the values of Adyen', () => {
  it('are in one list each', () => {
    for (const { handled, ignored } of Object.values(ENUMERATIONS)) {
      const all: readonly string[] = [...handled, ...ignored]
      expect(new Set(all).size).toBe(all.length)
    }
    expect(isListed(ENUMERATIONS.event, 'INVENTED')).toBe(false)
  })

  it.skipIf(!hasDescriptions)('are those of the official descriptions', () => {
    const { paths } = read('adyen-webhooks-v1.json')
    const events = Object.keys(paths).map((path) => path.slice(1))
    expect(events.filter((event) => !isListed(ENUMERATIONS.event, event))).toEqual([])
    const { schemas } = read('adyen-checkout-v72.json').components
    const valuesOf = (schema: string, member: string) => schemas[schema]?.properties?.[member]?.enum ?? []
    const results = valuesOf('PaymentResponse', 'resultCode')
    const statuses = valuesOf('PaymentLinkResponse', 'status')
    expect([results.length > 0, statuses.length > 0]).toEqual([true, true])
    expect(results.filter((result) => !isListed(ENUMERATIONS.resultCode, result))).toEqual([])
    expect(statuses.filter((status) => !isListed(ENUMERATIONS.linkStatus, status))).toEqual([])
  })

  it('that are handled are told: connecting subscribes to them', () => {
    expect(EVENTS).toEqual(ENUMERATIONS.event.handled)
  })
})
