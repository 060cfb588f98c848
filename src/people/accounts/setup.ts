import { audit } from '../../audit/audit.ts'
import { isCurrency } from '../../base/currencies.ts'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { randomText } from '../../base/ids.ts'
import { expected } from '../../base/mistakes.ts'
import { hmacSha256, sameBytes, sha256 } from '../../base/secret.ts'
import { isTimeZone } from '../../base/time/zone.ts'
import { acting, type Context } from '../../context.ts'
import { forgetApp } from '../../merchants/directory.ts'
import { describeBusiness, openLicense } from '../../merchants/licenses/commands.ts'
import { actorOf, newPersonId, type SignInClient } from '../person.ts'
import { openSession } from '../sessions/sessions.ts'
import { firstLicense, insertMembership } from '../store/memberships.ts'
import { anyPerson, insertPerson, lockSetup } from '../store/people.ts'
import { readEmail } from './email.ts'
import { acceptedPassword } from './password.ts'
import { readName } from './settings.ts'

// The first set-up: creates the first owner. It is open while there are no people.

const TOKEN_CHARACTERS = 32

/**
 * The token of the first set-up in development, printed at the start. Derived from the installation's secret:
 * the same in every process and after a restart.
 */
export function setupToken(ctx: Pick<Context, 'vault'>): string {
  const digest = hmacSha256(ctx.vault.derive('setup-token'), 'first owner')
  return randomText({ bytes: () => digest }, TOKEN_CHARACTERS)
}

export const isSetupOpen = async (ctx: Context): Promise<boolean> => !(await anyPerson(ctx.db))

/** Whether the token opens the set-up: in production only the operator token does. */
export function opensSetup(ctx: Context, token: string): boolean {
  const { production, operatorToken } = ctx.config
  const expected = production ? operatorToken?.reveal() : setupToken(ctx)
  return expected !== undefined && sameBytes(sha256(token), sha256(expected))
}

export interface NewOwner {
  readonly token: string
  readonly email: string
  readonly name: string
  readonly password: string
  /** The name of the business. Needed where there is no licence yet, otherwise its new name. */
  readonly licenseName: string
  /** Of the apps. Empty: as it is. */
  readonly timeZone?: string
  /** Of the sandbox. Empty: as it is. */
  readonly currency?: string
}

export interface CreatedOwner {
  readonly personId: string
  readonly licenseId: string
  /** The token of the owner's first session. */
  readonly sessionToken: string
}

/** Creates the first owner, who is also an operator. Of two requests at once only the first succeeds. */
export async function createOwner(
  ctx: Context,
  owner: NewOwner,
  client: SignInClient,
): Promise<CreatedOwner> {
  if (!(await isSetupOpen(ctx))) throw closed()
  if (!opensSetup(ctx, owner.token)) throw new ApiError('forbidden', 'The set-up token is wrong.')
  const email = readEmail(owner.email)
  if (!email) throw invalid([expected('email', 'email')])
  const name = readName(owner.name)
  const business = businessOf(owner)
  const passwordHash = await acceptedPassword(ctx, { ...owner, email, network: client.network })
  const { appIds, ...created } = await ctx.db.transaction(async (tx) => {
    await lockSetup(tx)
    if (await anyPerson(tx)) throw closed()
    const now = ctx.clock.now()
    const personId = newPersonId(ctx.random)
    await insertPerson(tx, { personId, email, name, passwordHash, isOperator: true, now })
    const licenseId = (await firstLicense(tx)) ?? (await newLicense(ctx, tx, owner.licenseName))
    const appIds = await describeBusiness(tx, licenseId, business)
    await insertMembership(tx, { licenseId, personId, role: 'Owner', refundLimits: null, now })
    await audit(acting(ctx, actorOf({ personId, email }, client)), tx, {
      licenseId,
      action: 'member.joined',
      target: `person:${personId}`,
      after: { email, role: 'Owner' },
    })
    return { personId, licenseId, appIds, sessionToken: await openSession(ctx, tx, personId, client) }
  })
  for (const appId of appIds) forgetApp(ctx, appId)
  return created
}

function businessOf({ licenseName, timeZone, currency }: NewOwner) {
  if (timeZone && !isTimeZone(timeZone)) throw invalid([expected('timeZone', 'timeZone')])
  if (currency && !isCurrency(currency)) throw invalid([expected('currency', 'currency')])
  return {
    name: licenseName === '' ? undefined : readName(licenseName),
    timeZone: timeZone || undefined,
    currency: currency || undefined,
  }
}

type Tx = Parameters<typeof openLicense>[1]

const newLicense = async (ctx: Context, tx: Tx, licenseName: string): Promise<string> =>
  (await openLicense(ctx, tx, readName(licenseName))).licenseId

const closed = (): ApiError => notFound('The set-up')
