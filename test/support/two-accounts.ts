import { sql } from '../../src/db/database.ts'
import type { App } from '../../src/merchants/app.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { testLicense } from './api.ts'
import type { TestContext } from './context.ts'

/** The profile of the second account. */
export const SECOND_ID = 999_999

/** A sandbox app with two accounts at its provider, each with registrations of its own. */
export async function appWithTwoAccounts(ctx: TestContext): Promise<App> {
  const { sandbox } = await testLicense(ctx)
  const loaded = (await loadApp(ctx, sandbox.appId)) as App
  const [first] = loaded.profiles
  await ctx.db.query(
    sql<never>(
      'test.profile',
      `insert into payment_profiles overriding system value select (jsonb_populate_record(p,
         '{"profile_id": ${SECOND_ID}, "name": "Second", "webhook_key": "second"}')).*
       from payment_profiles p where profile_id = $1`,
    ),
    [first?.profileId],
  )
  return { ...loaded, profiles: [first, { ...first, profileId: SECOND_ID }] as App['profiles'] }
}
