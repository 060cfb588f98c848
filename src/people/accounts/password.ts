import { invalid } from '../../base/errors.ts'
import { fieldError } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { hashPassword, passwordWork, verifyPassword } from '../passwords/hash.ts'
import { isCommonPassword } from '../passwords/is-common.ts'
import { passwordProblem } from '../passwords/rules.ts'
import type { SignInClient } from '../person.ts'
import { rotateSession } from '../sessions/sessions.ts'
import type { SignedIn } from '../signed-in.ts'
import { selectPasswordHash, updatePassword } from '../store/secrets.ts'
import { deleteSessions } from '../store/sessions.ts'
import { auditPerson, checkedAttempt } from '../totp/commands.ts'

/** The hash of a password that may be chosen. Throws 400 with the reason for any other. */
export async function acceptedPassword(
  ctx: Context,
  {
    email,
    password,
    network,
  }: { readonly email: string; readonly password: string; readonly network: string },
): Promise<string> {
  const problem = passwordProblem(password, { email, isCommon: isCommonPassword })
  if (problem) throw invalid([fieldError('password', problem)])
  return hashPassword(passwordWork(ctx), ctx.random, { password, network })
}

interface PasswordChange {
  /** Not needed for the first password of a person who signs in by OpenID Connect. */
  readonly current: string
  readonly password: string
}

/** Changes the person's own password. All other sessions end. Returns the new token of this one. */
export async function changePassword(
  ctx: Context,
  person: SignedIn,
  { current, password }: PasswordChange,
  { network }: Pick<SignInClient, 'network'>,
): Promise<string> {
  const { personId, email } = person
  const known = await selectPasswordHash(ctx.db, personId)
  if (known) {
    const check = () => verifyPassword(passwordWork(ctx), known, { password: current, network })
    await checkedAttempt(ctx, personId, check, 'wrong')
  }
  const hash = await acceptedPassword(ctx, { email, password, network })
  await ctx.db.transaction(async (tx) => {
    await storePassword(tx, personId, hash, person.sessionId)
    await auditPerson(ctx, tx, person, 'person.password_changed')
  })
  return rotateSession(ctx, person)
}

/** Stores a new password and ends all sessions, except one. */
export async function storePassword(tx: Queryable, personId: string, hash: string, except?: string) {
  await updatePassword(tx, personId, hash)
  await deleteSessions(tx, personId, except)
}
