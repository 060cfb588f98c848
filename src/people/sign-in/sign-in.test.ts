import { describe, expect, it } from 'vitest'
import { testContext } from '../../../test/support/context.ts'
import { withPart } from '../../../test/support/node.ts'
import { clientAt, newMember, PASSWORD, peopleWorld, sessionOf } from '../../../test/support/people.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../base/clock.ts'
import { LIMITS } from '../../base/limits.ts'
import { sql } from '../../db/database.ts'
import { changePassword } from '../accounts/password.ts'
import { createPasswordWork, type PasswordWork, passwordWork } from '../passwords/hash.ts'
import {
  endAllSessions,
  endOtherSessions,
  endSession,
  findSession,
  hasFreshProof,
  listSessions,
} from '../sessions/sessions.ts'
import {
  activateTotp,
  checkOtp,
  prepareSecondFactor,
  remainingRecoveryCodes,
  renewRecoveryCodes,
} from '../totp/commands.ts'
import { codeOf, stepOf } from '../totp/totp.ts'
import { proveAgain } from './proof.ts'
import { findPending, signIn, signInWithCode } from './sign-in.ts'

const world = peopleWorld()
const EMAIL = 'owner@example.com'

const trySignIn = (email: string, password: string, network?: string) =>
  signIn(world.ctx, { email, password }, clientAt(network))

const tokenOf = async (email: string, password = PASSWORD, network?: string): Promise<string> => {
  const result = await trySignIn(email, password, network)
  return 'token' in result ? result.token : ''
}

it('signs in with e-mail in any case and password', async () => {
  const session = await sessionOf(world.ctx, await trySignIn(' Owner@Example.com ', PASSWORD))
  expect(session).toMatchObject({
    email: EMAIL,
    isOperator: true,
    memberships: [{ licenseId: world.licenseId, role: 'Owner', refundLimits: null }],
  })
})

it('answers an unknown address, a wrong password and no password the same way', async () => {
  const answers = await Promise.all([
    trySignIn('stranger@example.com', PASSWORD),
    trySignIn(EMAIL, 'wrong'),
    trySignIn('no address', ''),
  ])
  expect(answers).toEqual(Array(3).fill({ kind: 'refused' }))
})

it('does the same work for an unknown address as for a wrong password', async () => {
  const { ctx } = world
  const calls: string[] = []
  const queues: PasswordWork['queues'] = {
    run: (owner, work) => {
      calls.push(owner)
      return passwordWork(ctx).queues.run(owner, work)
    },
  }
  const watched = withPart(ctx, passwordWork, { ...passwordWork(ctx), queues })
  await signIn(watched, { email: 'stranger2@example.com', password: 'x' }, clientAt())
  await signIn(watched, { email: EMAIL, password: 'x' }, clientAt())
  expect(calls).toHaveLength(2)
})

it('raises the cost of a password at the next sign-in', async () => {
  const { ctx } = world
  const stronger = withPart(ctx, passwordWork, createPasswordWork({ n: 512, r: 8, p: 1 }))
  await signIn(stronger, { email: EMAIL, password: PASSWORD }, clientAt())
  const read = sql<{ passwordHash: string }>('test.hash', 'select password_hash from people where email = $1')
  const [row] = await ctx.db.query(read, [EMAIL])
  expect(row?.passwordHash).toMatch(/^scrypt\$512\$/)
  expect((await trySignIn(EMAIL, PASSWORD)).kind).toBe('signed-in')
})

describe('throttling', () => {
  const fail = async (email: string, network: string, times: number) => {
    const kinds: string[] = []
    for (let n = 0; n < times; n++) kinds.push((await trySignIn(email, 'wrong', network)).kind)
    return kinds
  }

  it('delays an account from one network, longer each time, and counts nothing while it waits', async () => {
    const member = await newMember(world, 'Viewer')
    expect(await fail(member.email, '198.51.100.7', 5)).toEqual(Array(5).fill('refused'))
    const waits: number[] = []
    for (let n = 0; n < 4; n++) {
      const answer = await trySignIn(member.email, PASSWORD, '198.51.100.7')
      expect(answer.kind).toBe('wait')
      const seconds = answer.kind === 'wait' ? answer.seconds : 0
      waits.push(seconds)
      world.ctx.clock.advance(seconds * SECOND)
      await fail(member.email, '198.51.100.7', 1)
    }
    expect(waits).toEqual([2, 4, 8, 16])
    world.ctx.clock.advance(15 * MINUTE)
    expect((await trySignIn(member.email, PASSWORD, '198.51.100.7')).kind).toBe('signed-in')
    // Success clears what was counted.
    expect(await fail(member.email, '198.51.100.7', 4)).toEqual(Array(4).fill('refused'))
  })

  it('counts attempts that are sent at the same time, on all nodes', async () => {
    const other = await testContext({ sharing: world.ctx })
    const nodes = [world.ctx, withPart(other, passwordWork, passwordWork(world.ctx))]
    const all = Array.from({ length: 12 }, (_, n) =>
      signIn(
        nodes[n % 2] as typeof world.ctx,
        { email: 'unknown@example.com', password: 'x' },
        clientAt('198.51.100.8'),
      ),
    )
    const kinds = (await Promise.all(all)).map(({ kind }) => kind)
    await other.close()
    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(5)
    expect(kinds.filter((kind) => kind === 'wait')).toHaveLength(7)
  })

  it('never locks a person out of a network where they signed in before', async () => {
    const member = await newMember(world, 'Viewer')
    for (let n = 0; n < 30; n++) await trySignIn(member.email, 'wrong', `203.0.113.${n}`)
    expect((await trySignIn(member.email, PASSWORD, '203.0.113.200')).kind).toBe('wait')
    expect((await trySignIn(member.email, PASSWORD, '192.0.2.1')).kind).toBe('signed-in')
  })

  it('delays one network that tries many accounts', async () => {
    const kinds: string[] = []
    for (let n = 0; n < 53; n++)
      kinds.push((await trySignIn(`guess${n}@example.com`, 'x', '198.51.100.9')).kind)
    expect(kinds.indexOf('wait')).toBe(51)
  })
})

describe('a session', () => {
  it('has a new token after each sign-in and after each proof; the old one ends', async () => {
    const [one, other] = [await tokenOf(EMAIL), await tokenOf(EMAIL)]
    expect(one).not.toBe(other)
    const session = await findSession(world.ctx, one)
    if (!session) throw new Error('no session')
    const next = await proveAgain(world.ctx, session, PASSWORD, clientAt())
    expect(await findSession(world.ctx, one)).toBeUndefined()
    expect(await findSession(world.ctx, next)).toMatchObject({ sessionId: session.sessionId })
  })

  it('is stored as a hash', async () => {
    const token = await tokenOf(EMAIL)
    const read = sql<{ text: string }>('test.sessions', 'select s::text as text from person_sessions s')
    const text = JSON.stringify(await world.ctx.db.query(read))
    expect(text).not.toContain(token)
    expect(text).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  it('ends after 8 hours without a request, and after 7 days in any case', async () => {
    const token = await tokenOf(EMAIL)
    for (let hours = 0; hours < 7 * 24 - 7; hours += 7) {
      expect(await findSession(world.ctx, token)).toBeDefined()
      world.ctx.clock.advance(7 * HOUR)
    }
    expect(await findSession(world.ctx, token)).toBeDefined()
    world.ctx.clock.advance(7 * HOUR)
    expect(await findSession(world.ctx, token)).toBeUndefined()
    const idle = await tokenOf(EMAIL)
    world.ctx.clock.advance(8 * HOUR)
    expect(await findSession(world.ctx, idle)).toBeUndefined()
  })

  it('has a fresh proof for five minutes', async () => {
    const session = await sessionOf(world.ctx, await trySignIn(EMAIL, PASSWORD))
    const now = world.ctx.clock.now()
    expect(hasFreshProof(session, new Date(now.getTime() + 5 * MINUTE - 1))).toBe(true)
    expect(hasFreshProof(session, new Date(now.getTime() + 5 * MINUTE))).toBe(false)
  })

  it('ended on one node ends on the others within a second', async () => {
    const other = await testContext({ sharing: world.ctx })
    const token = await tokenOf(EMAIL)
    const session = await findSession(other, token)
    expect(session).toBeDefined()
    await endSession(world.ctx, session?.personId ?? '', session?.sessionId ?? '')
    expect(await findSession(world.ctx, token)).toBeUndefined()
    world.ctx.clock.advance(LIMITS.directoryMs)
    expect(await findSession(other, token)).toBeUndefined()
    await other.close()
  })

  it('is listed with browser and address, and others can be ended', async () => {
    const member = await newMember(world, 'Viewer')
    const token = await tokenOf(member.email)
    const listed = await listSessions(world.ctx, member.personId)
    expect(listed).toHaveLength(2)
    expect(listed[0]).toMatchObject({ userAgent: 'Firefox, Linux', address: '192.0.2.1' })
    expect(await endOtherSessions(world.ctx, member)).toBe(1)
    expect(await findSession(world.ctx, token)).toBeUndefined()
    expect(await listSessions(world.ctx, member.personId)).toHaveLength(1)
  })

  it('ends with all others of a member when an administrator says so', async () => {
    const { ctx, licenseId } = world
    const member = await newMember(world, 'Viewer')
    const token = await tokenOf(member.email)
    expect(await endAllSessions(ctx, licenseId, member.personId)).toBe(2)
    expect(await findSession(ctx, token)).toBeUndefined()
    await expect(endAllSessions(ctx, 'lic_0', member.personId)).rejects.toThrow('not found')
  })

  it('ends when the password is changed elsewhere', async () => {
    const member = await newMember(world, 'Viewer')
    const old = await tokenOf(member.email)
    const change = { current: PASSWORD, password: 'another long password' }
    const token = await changePassword(world.ctx, member, change, clientAt())
    expect(await findSession(world.ctx, old)).toBeUndefined()
    expect(await findSession(world.ctx, token)).toBeDefined()
    expect((await trySignIn(member.email, PASSWORD)).kind).toBe('refused')
    await expect(changePassword(world.ctx, member, change, clientAt())).rejects.toThrow(/wrong/)
  })

  it.each(['', 'x', `${'a'.repeat(43)}=`, 'a'.repeat(43)])('is not found for %j', async (token) => {
    expect(await findSession(world.ctx, token)).toBeUndefined()
  })
})

describe('the second factor', () => {
  const secretOf = (uri: string): Buffer => {
    const text = new URL(uri).searchParams.get('secret') ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
    const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
    return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }
  /** A member with an active second factor; `code` gives the present code. */
  async function enrolled() {
    const member = await newMember(world, 'Viewer')
    const secret = secretOf((await prepareSecondFactor(world.ctx, member)).uri)
    const code = () => codeOf(secret, stepOf(world.ctx.clock.now()))
    const activated = await activateTotp(world.ctx, member, code())
    world.ctx.clock.advance(MINUTE)
    return { member, code, ...activated }
  }

  it('is asked for after the password, and the pending sign-in opens nothing', async () => {
    const { member, code } = await enrolled()
    const answer = await trySignIn(member.email, PASSWORD)
    const token = answer.kind === 'second-factor' ? answer.token : ''
    expect(await findSession(world.ctx, token)).toBeUndefined()
    expect(await findPending(world.ctx, token, clientAt())).toMatchObject({ email: member.email })
    const session = await sessionOf(
      world.ctx,
      await signInWithCode(world.ctx, { token, code: code() }, clientAt()),
    )
    expect(session.hasSecondFactor).toBe(true)
    expect((await signInWithCode(world.ctx, { token, code: code() }, clientAt())).kind).toBe('refused')
  })

  it('rotates the token when it is added, and ends other sessions', async () => {
    const { member, token } = await enrolled()
    const session = await findSession(world.ctx, token)
    expect(session).toMatchObject({ sessionId: member.sessionId, hasSecondFactor: true })
    expect(await listSessions(world.ctx, member.personId)).toHaveLength(1)
  })

  it('accepts each code once, on all nodes and for all purposes', async () => {
    const { member, code } = await enrolled()
    const other = await testContext({ sharing: world.ctx })
    const results = await Promise.all([
      checkOtp(world.ctx, member.personId, code()),
      checkOtp(other, member.personId, code()),
    ])
    expect(results.sort()).toEqual(['right', 'wrong'])
    const token = await tokenOf(member.email)
    expect((await signInWithCode(world.ctx, { token, code: code() }, clientAt())).kind).toBe('refused')
    world.ctx.clock.advance(30 * SECOND)
    expect((await signInWithCode(world.ctx, { token, code: code() }, clientAt())).kind).toBe('signed-in')
    await other.close()
  })

  it('can be replaced by each recovery code once', async () => {
    const { member, recoveryCodes } = await enrolled()
    expect(new Set(recoveryCodes).size).toBe(10)
    const typed = (recoveryCodes[3] ?? '').toUpperCase().replaceAll('-', ' ')
    const use = async () =>
      (await signInWithCode(world.ctx, { token: await tokenOf(member.email), code: typed }, clientAt())).kind
    expect([await use(), await use()]).toEqual(['signed-in', 'refused'])
    expect(await remainingRecoveryCodes(world.ctx, member.personId)).toBe(9)
    expect(await renewRecoveryCodes(world.ctx, member)).toHaveLength(10)
    expect(await remainingRecoveryCodes(world.ctx, member.personId)).toBe(10)
  })

  it('allows five tries for one password, with a pause before the last', async () => {
    const { member, code } = await enrolled()
    const token = await tokenOf(member.email)
    for (let n = 0; n < 5; n++) await signInWithCode(world.ctx, { token, code: '000000' }, clientAt())
    expect((await signInWithCode(world.ctx, { token, code: code() }, clientAt())).kind).toBe('wait')
    world.ctx.clock.advance(MINUTE)
    expect((await signInWithCode(world.ctx, { token, code: code() }, clientAt())).kind).toBe('refused')
  })

  it('expires with its pending sign-in after ten minutes', async () => {
    const { member, code } = await enrolled()
    const token = await tokenOf(member.email)
    world.ctx.clock.advance(10 * MINUTE)
    expect((await signInWithCode(world.ctx, { token, code: code() }, clientAt())).kind).toBe('refused')
  })

  it('is not asked of a person without one, and cannot be set up twice', async () => {
    const viewer = await newMember(world, 'Viewer')
    expect(await checkOtp(world.ctx, viewer.personId, '123456')).toBe('not-enrolled')
    const { member } = await enrolled()
    await expect(prepareSecondFactor(world.ctx, member)).rejects.toThrow('active already')
    world.ctx.clock.advance(DAY)
  })
})
