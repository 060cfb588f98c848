import type { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { readQuery } from '../../http/query.ts'
import { otpError } from '../../merchants/apps/rules.ts'
import { codeOf, hasFreshProof } from '../sessions/sessions.ts'
import type { SignedIn } from '../signed-in.ts'
import { checkOtp } from '../totp/commands.ts'
import type { SessionRule } from './rule.ts'

/** Whether the rule asks for a fresh proof, with this query. */
export const asksForProof = (
  { proof, onlyWith }: SessionRule,
  query: Readonly<Record<string, string>>,
): boolean =>
  proof === true && (onlyWith === undefined || (query[onlyWith] !== undefined && query[onlyWith] !== 'false'))

type Code = ReturnType<typeof codeOf>
const LONGEST_CODE = 40

/**
 * Checks a request of the API for the proof that its route asks for. A code in the query is one for this
 * request alone. Returns whether there was a code; throws 403 with the names that existing clients know.
 * Decision 0143.
 */
export async function checkProof(
  ctx: Context,
  person: SignedIn,
  rule: SessionRule,
  url: string,
): Promise<Code> {
  const now = ctx.clock.now()
  const code = codeOf(person, now)
  if (!rule.proof || code === 'given') return code
  const query = readQuery(url)
  if (!asksForProof(rule, query)) return code
  const { otpCode } = query
  const isFresh = hasFreshProof(person, now)
  if (code === 'missing' && otpCode !== undefined && otpCode.length <= LONGEST_CODE) {
    if ((await checkOtp(ctx, person.personId, otpCode)) === 'right') return 'given'
    if (!isFresh) throw otpError('otp_invalid')
  }
  if (!isFresh) throw proofRequired()
  return code
}

const proofRequired = (): ApiError =>
  otpError(
    'otp_required',
    'This needs a proof of the last five minutes: sign in again, or send a one-time code as otpCode.',
  )
