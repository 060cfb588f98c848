import { CONSOLE_PAGES } from '../base/console-pages.ts'
import { randomText } from '../base/ids.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { queueMail } from '../mail/queue.ts'
import { licenseName } from '../merchants/licenses/commands.ts'
import type { ShownLink } from './links/links.ts'
import type { Person, SignInClient } from './person.ts'
import { describeAgent } from './sessions/user-agent.ts'
import { selectPerson } from './store/people.ts'

// E-mails to people about their accounts, queued in the transaction of the change.

/** The owner of messages about a person: they belong to the installation, not to an app or licence. */
const INSTALLATION = ''

/** The invitation with its link. The language is that of the account, otherwise of who invites. */
export async function sendInvitation(
  ctx: Context,
  tx: Queryable,
  { link, url }: ShownLink,
  invited: Person | undefined,
): Promise<void> {
  if (!ctx.config.mail) return
  const { licenseId, role, linkId, email, createdBy, expiresTime } = link
  const inviter = ctx.actor?.kind === 'person' ? await selectPerson(tx, ctx.actor.id) : undefined
  const business = (await licenseName({ db: tx }, licenseId ?? '')) ?? ''
  const occasion = {
    appId: licenseId ?? INSTALLATION,
    mailId: `invitation:${linkId}`,
    to: email,
    locale: invited?.language ?? inviter?.language ?? null,
    expiresTime,
  }
  const data = {
    business,
    role: role ?? '',
    invitedBy: inviter?.name || createdBy,
    url,
    until: expiresTime.toISOString(),
  }
  await queueMail(ctx, tx, occasion, { kind: 'invitation', data })
}

export async function sendPasswordReset(
  ctx: Context,
  tx: Queryable,
  { link, url }: ShownLink,
  { email, language }: Pick<Person, 'email' | 'language'>,
): Promise<void> {
  const { expiresTime } = link
  const occasion = {
    appId: INSTALLATION,
    mailId: `password-reset:${link.linkId}`,
    to: email,
    locale: language,
    expiresTime,
  }
  await queueMail(ctx, tx, occasion, {
    kind: 'password-reset',
    data: { url, until: expiresTime.toISOString() },
  })
}

/** The person has got a role, in a licence that is new to them or instead of another role. */
export async function tellOfRole(
  ctx: Context,
  tx: Queryable,
  personId: string,
  { licenseId, role }: { readonly licenseId: string; readonly role: string },
): Promise<void> {
  if (!ctx.config.mail) return
  const business = (await licenseName({ db: tx }, licenseId)) ?? ''
  await tellOfAccess(ctx, tx, personId, { what: 'role', name: role, business })
}

interface NewAccess {
  readonly what: 'passkey' | 'second-factor' | 'role'
  /** The name of the passkey or the role. */
  readonly name?: string | null
  /** The name of the licence. */
  readonly business?: string | null
}

/** A new way into the account or a new right of it, so that its person learns of what others did. */
export async function tellOfAccess(
  ctx: Context,
  tx: Queryable,
  personId: string,
  { what, name = null, business = null }: NewAccess,
): Promise<void> {
  if (!ctx.config.mail) return
  const person = await selectPerson(tx, personId)
  if (!person) return
  const now = ctx.clock.now()
  const { actor } = ctx
  const occasion = {
    appId: INSTALLATION,
    mailId: `access:${what}:${personId}:${randomText(ctx.random, 12)}`,
    to: person.email,
    locale: person.language,
  }
  const data = {
    what,
    name,
    business,
    by: actor && actor.id !== personId ? actor.name : null,
    time: now.toISOString(),
    address: actor?.id === personId ? actor.address : null,
    url: ctx.config.publicUrl + CONSOLE_PAGES.profile,
  }
  await queueMail(ctx, tx, occasion, { kind: 'access-added', data })
}

/** A sign-in from a network that the account was not used from before. */
export async function tellOfSignIn(
  ctx: Context,
  tx: Queryable,
  personId: string,
  client: SignInClient,
): Promise<void> {
  if (!ctx.config.mail) return
  const person = await selectPerson(tx, personId)
  if (!person) return
  const now = ctx.clock.now()
  const occasion = {
    appId: INSTALLATION,
    mailId: `sign-in:${personId}:${now.getTime()}`,
    to: person.email,
    locale: person.language,
  }
  const data = {
    time: now.toISOString(),
    address: client.address,
    device: describeAgent(client.userAgent),
    url: ctx.config.publicUrl + CONSOLE_PAGES.profile,
  }
  await queueMail(ctx, tx, occasion, { kind: 'sign-in', data })
}
