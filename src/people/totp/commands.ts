import { audit } from '../../audit/audit.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { type Random, randomText } from '../../base/ids.ts'
import { mistaken } from '../../base/mistakes.ts'
import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { tellOfAccess } from '../mails.ts'
import { sessions } from '../sessions/cache.ts'
import { endOtherSessions, rotateSession } from '../sessions/sessions.ts'
import type { SignedIn } from '../signed-in.ts'
import {
  countRecoveryCodes,
  disableTotp,
  enableTotp,
  prepareTotp,
  selectTotp,
  updateRecoveryCodes,
  useRecoveryCode,
  useStep,
} from '../store/secrets.ts'
import { attemptSucceeded, takeAttempt, tooManyAttempts } from '../throttle/throttle.ts'
import { base32, matchingStep, otpauthUri } from './totp.ts'

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20
const ISSUER = 'Tender'

/** A secret that is not in use before `activateTotp`. */
export interface PreparedTotp {
  /** For a QR code. */
  readonly uri: string
  /** The secret in base32, to be typed. */
  readonly secret: string
}

const alreadyActive = (): ApiError =>
  new ApiError('not_possible', 'The second factor is active already. Turn it off before setting up another.')

/** Creates a secret and stores it sealed. Repeating it replaces the secret. */
export async function prepareSecondFactor(ctx: Context, person: SignedIn): Promise<PreparedTotp> {
  const secret = ctx.random.bytes(SECRET_BYTES)
  const sealed = ctx.vault.seal(Buffer.from(secret).toString('base64'))
  if (!(await prepareTotp(ctx.db, person.personId, sealed))) throw alreadyActive()
  return shownSecret(person, secret)
}

const shownSecret = ({ email }: SignedIn, secret: Uint8Array): PreparedTotp => ({
  uri: otpauthUri(ISSUER, email, secret),
  secret: base32(secret),
})

/** The secret that is not in use yet, for a person who typed a wrong code; undefined once it is in use. */
export async function preparedSecondFactor(
  ctx: Context,
  person: SignedIn,
): Promise<PreparedTotp | undefined> {
  const found = await selectTotp(ctx.db, person.personId)
  if (!found?.totpSecret || found.isEnabled) return undefined
  return shownSecret(person, Buffer.from(ctx.vault.open(found.totpSecret), 'base64'))
}

export interface ActivatedTotp {
  /** Shown once. */
  readonly recoveryCodes: readonly string[]
  /** The new token of the session. */
  readonly token: string
}

/**
 * Turns the second factor on; the caller has checked for a fresh proof. The session gets a new token, and all
 * others end.
 */
export async function activateTotp(ctx: Context, person: SignedIn, code: string): Promise<ActivatedTotp> {
  const { personId } = person
  const found = await selectTotp(ctx.db, personId)
  if (!found?.totpSecret) throw new ApiError('not_possible', 'Ask for a QR code first.')
  if (found.isEnabled) throw alreadyActive()
  await checkedAttempt(ctx, personId, () => usesCode(ctx, personId, code))
  const recoveryCodes = newRecoveryCodes(ctx.random)
  await ctx.db.transaction(async (tx) => {
    if (!(await enableTotp(tx, personId, ctx.clock.now(), recoveryCodes.map(recoveryHash))))
      throw alreadyActive()
    await auditPerson(ctx, tx, person, 'person.second_factor_added')
    await tellOfAccess(ctx, tx, personId, { what: 'second-factor' })
  })
  await endOtherSessions(ctx, person)
  return { recoveryCodes, token: await rotateSession(ctx, person) }
}

/** Turns the second factor off; the caller has checked for a fresh proof. */
export async function deactivateTotp(ctx: Context, person: SignedIn): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await disableTotp(tx, person.personId))
      await auditPerson(ctx, tx, person, 'person.second_factor_removed')
  })
  sessions(ctx).clear()
}

/** Replaces all recovery codes; the caller has checked for a fresh proof. */
export async function renewRecoveryCodes(ctx: Context, person: SignedIn): Promise<readonly string[]> {
  const codes = newRecoveryCodes(ctx.random)
  await ctx.db.transaction(async (tx) => {
    if (!(await updateRecoveryCodes(tx, person.personId, codes.map(recoveryHash))))
      throw new ApiError('not_possible', 'The second factor is not active.')
    await auditPerson(ctx, tx, person, 'person.recovery_codes_renewed')
  })
  return codes
}

export const remainingRecoveryCodes = (ctx: Context, personId: string): Promise<number> =>
  countRecoveryCodes(ctx.db, personId)

/** An entry in each licence of the person, except those that an operator has entered. */
export async function auditPerson(
  ctx: Context,
  tx: Queryable,
  { personId, memberships }: Pick<SignedIn, 'personId' | 'memberships'>,
  action: string,
): Promise<void> {
  for (const { licenseId, endsTime } of memberships)
    if (!endsTime) await audit(ctx, tx, { licenseId, action, target: `person:${personId}` })
}

/** Whether the code is right and was not used before, on any node. */
async function usesCode(ctx: Context, personId: string, code: string): Promise<boolean> {
  const found = await selectTotp(ctx.db, personId)
  if (!found?.totpSecret) return false
  const secret = Buffer.from(ctx.vault.open(found.totpSecret), 'base64')
  const step = matchingStep(secret, code, ctx.clock.now())
  return step !== undefined && (await useStep(ctx.db, personId, step))
}

/** Whether the text is a code of the authenticator or a recovery code; either is used up. */
export const usesCodeOrRecovery = async (ctx: Context, personId: string, code: string): Promise<boolean> =>
  (await usesCode(ctx, personId, code)) || (await useRecoveryCode(ctx.db, personId, recoveryHash(code)))

export const hasTotp = async (ctx: Pick<Context, 'db'>, personId: string): Promise<boolean> =>
  (await selectTotp(ctx.db, personId))?.isEnabled ?? false

export type OtpResult = 'right' | 'wrong' | 'not-enrolled'

/**
 * Checks a code that comes with a sensitive request. Throws 429 after too many wrong ones; they are counted
 * for the person, as the caller has proved to be that person or holds one of their keys.
 */
export async function checkOtp(ctx: Context, personId: string, code: string): Promise<OtpResult> {
  const found = await selectTotp(ctx.db, personId)
  if (!found?.isEnabled) return 'not-enrolled'
  try {
    await checkedAttempt(ctx, personId, () => usesCode(ctx, personId, code))
    return 'right'
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return 'wrong'
    throw error
  }
}

/** Counts a try of a signed-in person. Throws 429, or 400 for a wrong code. */
export async function checkedAttempt(
  ctx: Context,
  personId: string,
  check: () => Promise<boolean>,
  wrong: 'usedCode' | 'wrong' = 'usedCode',
): Promise<void> {
  const attempt = { purpose: 'proof', account: personId, network: '', isKnownNetwork: true } as const
  const seconds = await takeAttempt(ctx, attempt)
  if (seconds > 0) throw tooManyAttempts(seconds)
  if (!(await check())) throw invalid([mistaken('code', wrong)])
  await attemptSucceeded(ctx, attempt)
}

const COUNT = 10
const GROUPS = 4
const GROUP_LENGTH = 4

/** Ten codes of 80 random bits, for a lost authenticator. */
const newRecoveryCodes = (random: Random): string[] =>
  Array.from({ length: COUNT }, () =>
    Array.from({ length: GROUPS }, () => randomText(random, GROUP_LENGTH)).join('-'),
  )

const LETTERS_MISREAD: Readonly<Record<string, string>> = { i: '1', l: '1', o: '0' }

/** The hash of a code as typed. Case, spaces and hyphens do not count; i, l and o are digits. */
function recoveryHash(typed: string): Uint8Array {
  const code = typed
    .toLowerCase()
    .slice(0, 64)
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ilo]/g, (letter) => LETTERS_MISREAD[letter] ?? letter)
  return sha256(code)
}
