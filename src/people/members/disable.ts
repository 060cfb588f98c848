import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { Person } from '../person.ts'
import { sessions } from '../sessions/cache.ts'
import { lockMembers, selectMemberships } from '../store/memberships.ts'
import { lockPerson, updateDisabled } from '../store/people.ts'
import { deleteSessions } from '../store/sessions.ts'
import { auditPerson } from '../totp/commands.ts'
import { checkOtherOwner } from './members.ts'
import { endInvitationsOf } from './withdrawn.ts'

/** Refuses or allows a person to sign in, in all licences; for operators. The last owner stays enabled. */
export async function setDisabled(ctx: Context, personId: string, isDisabled: boolean): Promise<Person> {
  const changed = await ctx.db.transaction(async (tx) => {
    const memberships = await selectMemberships(tx, personId)
    // In the order of the licences, so that two such changes cannot block each other.
    for (const { licenseId, role } of memberships) {
      await lockMembers(tx, licenseId)
      if (isDisabled && role === 'Owner') await checkOtherOwner(tx, licenseId)
    }
    if (!(await lockPerson(tx, personId))) throw notFound('The person')
    const person = await updateDisabled(tx, personId, isDisabled)
    if (isDisabled) {
      await deleteSessions(tx, personId)
      await endInvitationsOf(ctx, tx, personId, null)
    }
    await auditPerson(ctx, tx, { personId, memberships }, isDisabled ? 'person.disabled' : 'person.enabled')
    return person
  })
  sessions(ctx).clear()
  if (!changed) throw notFound('The person')
  return changed
}
