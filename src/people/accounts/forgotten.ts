import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import { issueLink } from '../links/links.ts'
import { sendPasswordReset } from '../mails.ts'
import type { SignInClient } from '../person.ts'
import { dropResets } from '../store/links.ts'
import { lockPerson, selectPersonByEmail } from '../store/people.ts'
import { takeAttempt } from '../throttle/throttle.ts'
import { readEmail } from './email.ts'

/**
 * Sends a link for a new password to the address, if it has an account with one. Returns the seconds to wait
 * before another request, 0 when this one was accepted. Answer and time are the same for every address: the
 * account is looked up after the answer.
 */
export async function requestPasswordReset(
  ctx: Context,
  email: string,
  { network }: Pick<SignInClient, 'network'>,
): Promise<number> {
  const address = readEmail(email)
  const account = address ?? sha256(email).toString('hex')
  const seconds = await takeAttempt(ctx, { purpose: 'reset', account, network, isKnownNetwork: false })
  if (seconds === 0 && address) ctx.background.keep('password-reset', sendLink(ctx, address), '')
  return seconds
}

/** People without a password sign in by passkey or at their provider, and a link would open another way. */
async function sendLink(ctx: Context, email: string): Promise<void> {
  const found = await selectPersonByEmail(ctx.db, email)
  if (!found) return
  await ctx.db.transaction(async (tx) => {
    const person = await lockPerson(tx, found.personId)
    if (!person?.hasPassword || person.isDisabled) return
    const { personId } = person
    await dropResets(tx, personId, 'password-reset')
    const shown = await issueLink(ctx, tx, {
      kind: 'password-reset',
      email,
      personId,
      createdBy: email,
      isMailed: true,
    })
    await sendPasswordReset(ctx, tx, shown, person)
  })
}
