import { audit } from '../../audit/audit.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import { newCode } from './commands.ts'
import { deleteGrant, type LicenseGrant, lockLicense, selectGrants, upsertGrant } from './store.ts'

/** Shops of one merchant; more are refused. */
const MAX_GRANTS = 100

/**
 * A licence code for a shop, shown once. The code of the licence and those of other shops go on working; an
 * earlier code of the same host ends. The caller has checked the permission.
 */
export async function grantCode(ctx: Context, licenseId: string, host: string): Promise<string> {
  const code = newCode(ctx.random)
  await ctx.db.transaction(async (tx) => {
    if (!(await lockLicense(tx, licenseId))) throw notFound('The licence')
    const others = (await selectGrants(tx, licenseId)).filter((grant) => grant.host !== host)
    if (others.length >= MAX_GRANTS)
      throw new ApiError('not_possible', `A licence is connected to at most ${MAX_GRANTS} shops.`)
    const grantedBy = ctx.actor?.name ?? ''
    await upsertGrant(tx, licenseId, { host, grantedBy, createdTime: ctx.clock.now() }, sha256(code))
    await audit(ctx, tx, { licenseId, action: 'license.granted', target: `host:${host}` })
  })
  return code
}

export const listGrants = (ctx: Pick<Context, 'db'>, licenseId: string): Promise<LicenseGrant[]> =>
  selectGrants(ctx.db, licenseId)

/** Ends the code of a shop. API keys that the shop has got stay valid until they are revoked. */
export async function withdrawGrant(ctx: Context, licenseId: string, host: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteGrant(tx, licenseId, host))) throw notFound('The shop')
    await audit(ctx, tx, { licenseId, action: 'license.grant_withdrawn', target: `host:${host}` })
  })
}
