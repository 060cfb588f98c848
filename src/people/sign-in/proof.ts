import type { Context } from '../../context.ts'
import { passwordWork, verifyPassword } from '../passwords/hash.ts'
import type { SignInClient } from '../person.ts'
import { proveSession } from '../sessions/sessions.ts'
import type { SignedIn } from '../signed-in.ts'
import { selectPasswordHash } from '../store/secrets.ts'
import { checkedAttempt, usesCodeOrRecovery } from '../totp/commands.ts'

/**
 * Proves again that the person is present, before a sensitive action: with a code when a second factor is
 * active, else with the password. Returns the new token of the session. Throws 400 for a wrong secret, 429
 * after too many.
 */
export async function proveAgain(
  ctx: Context,
  person: SignedIn,
  secret: string,
  { network }: Pick<SignInClient, 'network'>,
): Promise<string> {
  const { personId, hasSecondFactor } = person
  const check = async () => {
    if (hasSecondFactor) return usesCodeOrRecovery(ctx, personId, secret)
    const hash = await selectPasswordHash(ctx.db, personId)
    return verifyPassword(passwordWork(ctx), hash, { password: secret, network })
  }
  await checkedAttempt(ctx, personId, check, hasSecondFactor ? 'usedCode' : 'wrong')
  return proveSession(ctx, person)
}
