import type { Context } from '../../src/context.ts'
import { directory } from '../../src/merchants/directory-cache.ts'
import { insertMembership } from '../../src/people/store/memberships.ts'
import { insertPerson } from '../../src/people/store/people.ts'

/** Makes a member of the app's licence with this address: a sandbox app may then write to its domain. */
export async function addMember(ctx: Context, appId: string, email: string): Promise<void> {
  const licenseId = (await directory(ctx).app(appId))?.licenseId ?? ''
  const personId = `usr_${email.replace(/\W/g, '_')}_${licenseId}`
  const now = ctx.clock.now()
  await ctx.db.transaction(async (tx) => {
    await insertPerson(tx, { personId, email, name: 'Member', passwordHash: null, now })
    await insertMembership(tx, { licenseId, personId, role: 'Viewer', refundLimits: null, now })
  })
}
