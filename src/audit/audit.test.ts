import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { acting } from '../context.ts'
import { sql } from '../db/database.ts'
import { audit, auditEntries } from './audit.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx?.close())

const ANNA = {
  kind: 'person',
  id: 'per_1',
  name: 'anna@example.com',
  address: '192.0.2.1',
  requestId: 'req_1',
} as const

it('records who changed what, and nothing without an actor', async () => {
  const { licenseId } = (await testLicense(ctx)).license
  const entry = { licenseId, action: 'key.created', target: 'key:1', after: { name: 'Shop' } }
  await audit(ctx, ctx.db, entry)
  await audit(acting(ctx, ANNA), ctx.db, entry)
  const found = await auditEntries(ctx, licenseId, { limit: 10 })
  expect(found).toMatchObject([{ actor: ANNA, action: 'key.created', after: { name: 'Shop' } }])
})

it.each(['update audit_log set actor_name = null', 'delete from audit_log', 'truncate audit_log'])(
  'is append-only: %s',
  async (text) => {
    await expect(ctx.db.query(sql(`test.${text}`, text))).rejects.toThrow('append-only')
  },
)
