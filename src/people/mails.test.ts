import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts'
import { clientAt, newMember, PASSWORD, peopleContext, sessionOf } from '../../test/support/people.ts'
import { MINUTE } from '../base/clock.ts'
import { acting } from '../context.ts'
import { sql } from '../db/database.ts'
import { mailJobs } from '../mail/jobs.ts'
import { requestPasswordReset } from './accounts/forgotten.ts'
import { changeSettings } from './accounts/settings.ts'
import { createOwner, setupToken } from './accounts/setup.ts'
import { setDisabled } from './members/disable.ts'
import { inviteMember, joinAsNew } from './members/invitations.ts'
import { resetPassword } from './members/resets.ts'
import { actorOf } from './person.ts'
import { findSession } from './sessions/sessions.ts'
import { signIn } from './sign-in/sign-in.ts'
import type { SignedIn } from './signed-in.ts'

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
  ctx?.node.mailTransport.close()
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
    expect((await mails())[0]?.headers.subject).toBe('Du bist zu Corner Bookshop eingeladen')
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
