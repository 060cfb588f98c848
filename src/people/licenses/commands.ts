import { audit } from '../../audit/audit.ts'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { expected } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import { openLicense, type ShownLicense } from '../../merchants/licenses/commands.ts'
import { readEmail } from '../accounts/email.ts'
import type { ShownLink } from '../links/links.ts'
import { inviteWithin } from '../members/invitations.ts'
import { countOwners, lockMembers } from '../store/memberships.ts'

interface NewLicense {
  readonly licenseName: string
  /** Who is invited as its owner. */
  readonly ownerEmail?: string | undefined
}

/** Creates a merchant for the operator, with an invitation of its owner. Both, or nothing. */
export const createMerchant = (
  ctx: Context,
  { licenseName, ownerEmail }: NewLicense,
): Promise<{ readonly license: ShownLicense; readonly invitation: ShownLink | undefined }> =>
  ctx.db.transaction(async (tx) => {
    if (ownerEmail !== undefined && !readEmail(ownerEmail)) throw invalid([expected('ownerEmail', 'email')])
    const license = await openLicense(ctx, tx, licenseName)
    const { licenseId } = license
    const target = `license:${licenseId}`
    await audit(ctx, tx, { licenseId, action: 'license.created', target, after: { name: licenseName } })
    if (ownerEmail === undefined) return { license, invitation: undefined }
    const invitation = await inviteWithin(ctx, tx, { licenseId, email: ownerEmail, role: 'Owner' })
    return { license, invitation }
  })

/** Invites an owner to a licence that has none. Where there is one, owners invite. */
export const inviteOwner = (ctx: Context, licenseId: string, email: string): Promise<ShownLink> =>
  ctx.db.transaction(async (tx) => {
    if (!(await lockMembers(tx, licenseId))) throw notFound('The licence')
    if ((await countOwners(tx, licenseId)) > 0)
      throw new ApiError('not_possible', 'The licence has an owner, who invites others.')
    return inviteWithin(ctx, tx, { licenseId, email, role: 'Owner' })
  })
