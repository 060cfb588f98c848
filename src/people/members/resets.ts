import { audit } from '../../audit/audit.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { acting, type Context } from '../../context.ts'
import { acceptedPassword, storePassword } from '../accounts/password.ts'
import { findOpenLink, issueLink, type ShownLink, takeLink } from '../links/links.ts'
import { actorOf, type Person, type SignInClient } from '../person.ts'
import type { SignedIn } from '../signed-in.ts'
import { dropResets, type LinkKind } from '../store/links.ts'
import { ownedLicense, selectMemberships } from '../store/memberships.ts'
import { lockPerson, selectPerson, selectPersonByEmail } from '../store/people.ts'
import { disableTotp } from '../store/secrets.ts'
import { deleteSessions } from '../store/sessions.ts'
import { auditPerson } from '../totp/commands.ts'
import { notAllowed } from './members.ts'
import { mayReset } from './rules.ts'

interface ResetRequest {
  readonly licenseId: string
  readonly personId: string
  readonly kind: 'password-reset' | 'second-factor-reset'
}

/** A link with which the member chooses a new password or removes the second factor. */
export async function createReset(ctx: Context, by: SignedIn, request: ResetRequest): Promise<ShownLink> {
  const { licenseId, personId, kind } = request
  const person = await selectPerson(ctx.db, personId)
  const memberships = await selectMemberships(ctx.db, personId)
  if (!person || !memberships.some((membership) => membership.licenseId === licenseId))
    throw notFound('The member')
  if (!mayReset(by, { isOperator: person.isOperator, memberships })) throw notAllowed()
  return ctx.db.transaction(async (tx) => {
    await dropResets(tx, personId, kind)
    const shown = await issueLink(ctx, tx, { kind, email: person.email, personId, createdBy: by.email })
    const action = kind === 'password-reset' ? 'member.password_reset' : 'member.second_factor_reset'
    await audit(ctx, tx, { licenseId, action, target: `person:${personId}` })
    return shown
  })
}

type RestoreContext = Pick<Context, 'db' | 'clock' | 'random' | 'config' | 'actor'>

/** A link that restores the access of an owner, for the operator's command. */
export async function createOwnerRestore(ctx: RestoreContext, email: string): Promise<ShownLink> {
  const person = await selectPersonByEmail(ctx.db, email)
  const licenseId = person && (await ownedLicense(ctx.db, person.personId))
  if (!person || (!licenseId && !person.isOperator))
    throw new ApiError('not_found', `There is no owner with the address ${email}.`)
  const { personId } = person
  return ctx.db.transaction(async (tx) => {
    await dropResets(tx, personId, 'owner-restore')
    const shown = await issueLink(ctx, tx, { kind: 'owner-restore', email, personId, createdBy: 'operator' })
    if (licenseId)
      await audit(ctx, tx, { licenseId, action: 'member.access_restored', target: `person:${personId}` })
    return shown
  })
}

interface PasswordReset {
  readonly token: string
  readonly password: string
  /** Of an owner-restore link, the second factor is removed too. */
  readonly kind: 'password-reset' | 'owner-restore'
}

/** Sets a new password with a link. All sessions end; the person then signs in. */
export async function resetPassword(ctx: Context, reset: PasswordReset, client: SignInClient): Promise<void> {
  const { token, password, kind } = reset
  const open = await findOpenLink(ctx, token, kind)
  if (!open) throw notFound('The link')
  const hash = await acceptedPassword(ctx, { email: open.email, password, network: client.network })
  await withLink(ctx, { token, kind, action: 'person.password_changed' }, client, async (tx, personId) => {
    await storePassword(tx, personId, hash)
    if (kind === 'owner-restore') await disableTotp(tx, personId)
  })
}

/** Removes the second factor with a link. All sessions end; the password is still needed. */
export const resetSecondFactor = (ctx: Context, token: string, client: SignInClient): Promise<void> =>
  withLink(
    ctx,
    { token, kind: 'second-factor-reset', action: 'person.second_factor_removed' },
    client,
    async (tx, personId) => {
      await disableTotp(tx, personId)
      await deleteSessions(tx, personId)
    },
  )

type Tx = Parameters<typeof lockPerson>[0]

async function withLink(
  ctx: Context,
  { token, kind, action }: { readonly token: string; readonly kind: LinkKind; readonly action: string },
  client: SignInClient,
  change: (tx: Tx, personId: string) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const link = await takeLink(ctx, tx, token, kind)
    const person: Person | undefined = await lockPerson(tx, link.personId ?? '')
    if (!person) throw notFound('The link')
    await change(tx, person.personId)
    const memberships = await selectMemberships(tx, person.personId)
    await auditPerson(acting(ctx, actorOf(person, client)), tx, { ...person, memberships }, action)
  })
  ctx.node.sessions.clear()
}
