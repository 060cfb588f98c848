import { audit } from '../../audit/audit.ts'
import { after, HOUR } from '../../base/clock.ts'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { mistaken } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import { licenseName } from '../../merchants/licenses/commands.ts'
import { sessions } from '../sessions/cache.ts'
import { selectMembership } from '../store/memberships.ts'
import { lockPerson } from '../store/people.ts'
import { endVisitRow, type LicenseVisit, upsertVisit } from '../store/visits.ts'

/** What an operator may do in a licence of others: read, for an hour. Decision 0141. */
export const VISIT_ROLE = 'Viewer'
const VISIT_MS = HOUR

export const REASON = { least: 10, most: 500 } as const

interface Entry {
  readonly licenseId: string
  /** The operator who enters. */
  readonly personId: string
  readonly reason: string
}

/**
 * Lets an operator read a licence of others for an hour. The entry in the audit log of the licence names the
 * person and the reason. A further entry extends the time.
 */
export async function enterLicense(
  ctx: Context,
  { licenseId, personId, reason }: Entry,
): Promise<LicenseVisit> {
  const why = readReason(reason)
  const now = ctx.clock.now()
  const visit = { licenseId, personId, reason: why, createdTime: now, expiresTime: after(now, VISIT_MS) }
  await ctx.db.transaction(async (tx) => {
    if ((await licenseName({ db: tx }, licenseId)) === undefined) throw notFound('The licence')
    const person = await lockPerson(tx, personId)
    if (!person?.isOperator || person.isDisabled) throw notFound('The operator')
    if (await selectMembership(tx, licenseId, personId))
      throw new ApiError('member_exists', 'The operator is a member of this licence already.')
    await upsertVisit(tx, visit)
    await audit(ctx, tx, {
      licenseId,
      action: 'license.entered',
      target: `person:${personId}`,
      after: { reason: why, email: person.email, role: VISIT_ROLE, until: visit.expiresTime.toISOString() },
    })
  })
  sessions(ctx).clear()
  return visit
}

function readReason(text: string): string {
  const reason = text.trim().replaceAll(/\s+/g, ' ')
  if (reason.length < REASON.least || reason.length > REASON.most)
    throw invalid([mistaken('reason', 'length', REASON)])
  return reason
}

/** Ends a visit before its time. */
export async function leaveLicense(ctx: Context, licenseId: string, personId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await endVisitRow(tx, licenseId, personId, ctx.clock.now()))) throw notFound('The visit')
    await audit(ctx, tx, { licenseId, action: 'license.left', target: `person:${personId}` })
  })
  sessions(ctx).clear()
}
