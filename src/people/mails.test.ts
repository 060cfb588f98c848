import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../test/support/authenticator.ts'
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts'
import { clientAt, newMember, PASSWORD, peopleContext, sessionOf } from '../../test/support/people.ts'
import { DAY, MINUTE } from '../base/clock.ts'
import { acting } from '../context.ts'
import { sql } from '../db/database.ts'
import { mailJobs } from '../mail/jobs.ts'
import { mailTransport } from '../mail/sending/transport.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { createKey } from '../merchants/keys/commands.ts'
import { appIdsOfLicense } from '../merchants/licenses/commands.ts'
import { keysJob } from '../occasions/keys.ts'
import { requestPasswordReset } from './accounts/forgotten.ts'
import { changeSettings } from './accounts/settings.ts'
import { createOwner, setupToken } from './accounts/setup.ts'
import { setDisabled } from './members/disable.ts'
import { inviteMember, joinAsNew } from './members/invitations.ts'
import { changeRole } from './members/members.ts'
import { resetPassword } from './members/resets.ts'
import { addPasskey, startPasskeyRegistration } from './passkeys/passkeys.ts'
import { actorOf } from './person.ts'
import { findSession } from './sessions/sessions.ts'
import { signIn } from './sign-in/sign-in.ts'
import type { SignedIn } from './signed-in.ts'
import { selectTotp } from './store/secrets.ts'
import { activateTotp, prepareSecondFactor } from './totp/commands.ts'
import { codeOf, stepOf } from './totp/totp.ts'

let server: MailServer
let ctx: Awaited<ReturnType<typeof peopleContext>>
let owner: SignedIn
let licenseId: string

beforeAll(async () => {
  server = await startMailServer()
  ctx = await peopleContext({ config: { mail: server.mail } })
  const account = { token: setupToken(ctx), email: 'owner@example.com', name: 'Olga', password: PASSWORD }
  const made = await createOwner(ctx, { ...account, licenseName: 'Corner Bookshop' }, clientAt())
  owner = (await findSession(ctx, made.sessionToken)) as SignedIn
  licenseId = made.licenseId
})
afterAll(async () => {
  if (ctx) mailTransport(ctx).close()
  await ctx?.close()
  await server?.stop()
})
beforeEach(async () => {
  await mails()
})

/** Sends what is queued and returns what the server received since the last call. */
async function mails() {
  await ctx.background.settled()
  const [job] = mailJobs(ctx)
  while (((await job?.runOnce()) ?? 0) > 0) await ctx.background.settled()
  return server.received.splice(0)
}

const tokenIn = (text: string, path: string): string =>
  new RegExp(`http://tender\\.test/console/${path}/([\\w-]{43})`).exec(text)?.[1] ?? ''

const member = async () => {
  const made = await newMember({ ctx, licenseId, owner }, 'Viewer')
  await mails()
  return made
}

describe('an invitation', () => {
  it('is sent with its link, in the language of who invites', async () => {
    const invite = (by: typeof ctx, email: string) =>
      inviteMember(by, { role: 'Owner' }, { licenseId, email, role: 'Manager' })
    const acted = acting(ctx, actorOf(owner, clientAt())) as typeof ctx
    await invite(acted, 'new@example.com')
    const [mail] = await mails()
    expect(mail?.to).toEqual(['new@example.com'])
    expect(mail?.headers.subject).toBe('You are invited to Corner Bookshop')
    expect(mail?.text).toContain('Olga invites you')
    const token = tokenIn(mail?.text ?? '', 'join')
    expect(await joinAsNew(ctx, token, { name: 'New', password: PASSWORD }, clientAt())).toMatch(/^usr_/)

    const settings = { theme: null, timeZone: null, hasShortcuts: true }
    await changeSettings(ctx, owner.personId, { ...settings, name: 'Olga', language: 'de' })
    await mails()
    await invite(acted, 'neu@example.com')
    expect((await mails())[0]?.headers.subject).toBe('Sie sind zu Corner Bookshop eingeladen')
    await changeSettings(ctx, owner.personId, { ...settings, name: 'Olga', language: null })
  })

  it('of a refused command is not sent', async () => {
    await expect(
      inviteMember(ctx, { role: 'Owner' }, { licenseId, email: owner.email, role: 'Viewer' }),
    ).rejects.toThrow()
    expect(await mails()).toEqual([])
  })
})

describe('a forgotten password', () => {
  it('is replaced with the link in the e-mail, once', async () => {
    const { email } = await member()
    expect(await requestPasswordReset(ctx, ` ${email.toUpperCase()} `, clientAt('192.0.2.7'))).toBe(0)
    const [mail, ...rest] = await mails()
    expect([mail?.to, rest]).toEqual([[email], []])
    const token = tokenIn(mail?.text ?? '', 'reset-password')
    const reset = { token, password: 'an entirely new password', kind: 'password-reset' } as const
    await resetPassword(ctx, reset, clientAt())
    await expect(resetPassword(ctx, reset, clientAt())).rejects.toThrow()
    const signed = await signIn(ctx, { email, password: reset.password }, clientAt())
    expect((await sessionOf(ctx, signed)).email).toBe(email)
  })

  it('has the same answer for addresses without an account, which get nothing', async () => {
    const disabled = await member()
    await setDisabled(ctx, disabled.personId, true)
    const withoutPassword = await member()
    const text = 'update people set password_hash = null where person_id = $1'
    await ctx.db.query(sql('test.no_password', text), [withoutPassword.personId])
    const others = [disabled.email, withoutPassword.email, 'stranger@example.com', 'no address', '']
    for (const email of others) expect(await requestPasswordReset(ctx, email, clientAt('192.0.2.8'))).toBe(0)
    expect(await mails()).toEqual([])
  })

  it('can be asked for four times, with or without an account, then after a pause', async () => {
    const { email } = await member()
    for (const address of [email, 'unknown@example.com']) {
      const waits: number[] = []
      for (let n = 0; n < 6; n++)
        waits.push(await requestPasswordReset(ctx, address, clientAt(`192.0.2.${n}`)))
      expect(waits).toEqual([0, 0, 0, 0, 900, 900])
    }
    expect((await mails()).map(({ to }) => to[0])).toEqual([email, email, email, email])
    ctx.clock.advance(15 * MINUTE)
    expect(await requestPasswordReset(ctx, email, clientAt())).toBe(0)
  })
})

describe('a sign-in', () => {
  it('from another network is told, the first and those from known ones are not', async () => {
    const { email } = await member()
    const enter = (network: string) => signIn(ctx, { email, password: PASSWORD }, clientAt(network))
    await enter('192.0.2.1')
    expect(await mails()).toEqual([])
    await enter('198.51.100.4')
    const [mail] = await mails()
    expect(mail?.headers.subject).toBe('New sign-in to your account')
    expect(mail?.text).toContain('198.51.100.4')
    expect(mail?.text).toContain('Firefox, Linux')
    await enter('198.51.100.4')
    expect(await mails()).toEqual([])
  })
})

describe('new access to an account', () => {
  const subjects = async () => (await mails()).map(({ to, headers }) => [to[0], headers.subject])

  it('by a passkey, a second factor or a role is told, in the language of the person', async () => {
    const person = await member()
    const { email, personId } = person
    const { options, state } = await startPasskeyRegistration(ctx, person)
    const response = createAuthenticator('told').create(options, 'http://tender.test')
    const { token } = await addPasskey(ctx, person, { state, response, name: 'Phone' })
    const [passkey] = await mails()
    expect(passkey?.headers.subject).toBe('A passkey was added to your account')
    expect(passkey?.text).toContain('Phone')

    const session = (await findSession(ctx, token)) as SignedIn
    await prepareSecondFactor(ctx, session)
    const row = await selectTotp(ctx.db, personId)
    const secret = Buffer.from(ctx.vault.open(row?.totpSecret ?? new Uint8Array()), 'base64')
    await activateTotp(ctx, session, codeOf(secret, stepOf(ctx.clock.now())))
    expect(await subjects()).toEqual([[email, 'A second factor was set up for your account']])

    const settings = { theme: null, timeZone: null, hasShortcuts: true }
    await changeSettings(ctx, personId, { ...settings, name: 'Max', language: 'de' })
    const acted = acting(ctx, actorOf(owner, clientAt()))
    await changeRole(acted, { role: 'Owner' }, { licenseId, personId, role: 'Manager' })
    const [role] = await mails()
    const subject = 'Sie haben eine neue Rolle: Corner Bookshop'
    expect([role?.to[0], role?.headers.subject]).toEqual([email, subject])
    expect(role?.text).toContain('Manager')
    expect(role?.text).toContain('owner@example.com')
  })

  it('by joining is told', async () => {
    await newMember({ ctx, licenseId, owner }, 'Viewer')
    expect((await mails()).map(({ headers }) => headers.subject)).toContain(
      'You have a new role: Corner Bookshop',
    )
  })

  it('by an API key is told to its maker, once, and not of old keys', async () => {
    const { email, personId } = await member()
    const [appId = ''] = await appIdsOfLicense(ctx, licenseId)
    const app = (await loadApp(ctx, appId)) as App
    const made = acting(ctx, { ...actorOf({ personId, email }, clientAt()), grants: ['read'] })
    await createKey(made, app, { name: 'Till', scopes: ['read'] })
    await createKey(ctx, app, { name: 'Of no person', scopes: ['read'] })
    const job = keysJob(ctx)
    await job.runOnce()
    await job.runOnce()
    const [mail, ...rest] = await mails()
    expect([mail?.to[0], mail?.headers.subject, rest]).toEqual([
      email,
      'An API key was created in your name: Corner Bookshop (sandbox)',
      [],
    ])
    expect(mail?.text).toContain('Till')
    await createKey(made, app, { name: 'Before the mail server', scopes: ['read'] })
    ctx.clock.advance(DAY)
    await job.runOnce()
    expect(await mails()).toEqual([])
  })
})
