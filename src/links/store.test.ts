import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { raceTransactions } from '../../test/support/racing.ts'
import { after, MINUTE } from '../base/clock.ts'
import type { PaymentLink } from './link.ts'
import { insertLink, insertPlace, lockLink, totalsOfOthers } from './store.ts'

let ctx: TestContext
let appId: string
beforeAll(async () => {
  ctx = await testContext()
  appId = (await testLicense(ctx)).sandbox.appId
})
afterAll(() => ctx?.close())

it('two nodes take places of a link one after the other', async () => {
  const now = ctx.clock.now()
  const link = {
    ...{ appId, linkId: 'l1', linkKey: 'k1', leastMinor: 100n, mostMinor: 100n, currency: 'EUR' },
    ...{ description: 'A link', referencePrefix: 'l1', maximumPayments: 1, autoCapture: true },
    ...{ returnUrl: 'https://shop.example.com', createdTime: now, expirationTime: null, withdrawnTime: null },
  } as unknown as PaymentLink
  await insertLink(ctx.db, link)
  /** How many places of others the node counts before it takes its own. */
  const take =
    (referenceId: string) =>
    ({ db }: Pick<TestContext, 'db'>) =>
      db.transaction(async (tx) => {
        await lockLink(tx, link)
        const place = { referenceId, takenTime: now, heldUntil: after(now, MINUTE) }
        const totals = await totalsOfOthers(tx, link, place)
        await insertPlace(tx, link, place)
        return totals?.takenCount
      })
  expect(await raceTransactions(ctx, take('one'), take('other'))).toEqual([0, 1])
})
