import { audit } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { dropInvitationsOf } from '../store/links.ts'

/** Ends the open invitations of a person who may not invite any more, in one licence or in all. */
export async function endInvitationsOf(
  ctx: Context,
  tx: Queryable,
  personId: string,
  licenseId: string | null,
): Promise<void> {
  for (const link of await dropInvitationsOf(tx, personId, licenseId))
    await audit(ctx, tx, {
      licenseId: link.licenseId ?? '',
      action: 'member.invitation_withdrawn',
      target: `invitation:${link.linkId}`,
      before: { email: link.email, role: link.ownRoleName ?? link.role },
    })
}
