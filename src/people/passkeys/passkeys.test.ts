import { describe, expect, it } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../../test/support/authenticator.ts'
import { clientAt, newMember, PASSWORD, peopleWorld, sessionOf } from '../../../test/support/people.ts'
import { MINUTE } from '../../base/clock.ts'
import { findSession } from '../sessions/sessions.ts'
import { signIn } from '../sign-in/sign-in.ts'
import type { SignedIn } from '../signed-in.ts'
import { activateTotp, prepareSecondFactor } from '../totp/commands.ts'
import { codeOf, stepOf } from '../totp/totp.ts'
import { addPasskey, listPasskeys, removePasskey, startPasskeyRegistration } from './passkeys.ts'
import { completeWithPasskey, proveWithPasskey, signInWithPasskey, startPasskey } from './sign-in.ts'

const world = peopleWorld()
const ORIGIN = 'http://tender.test'

async function register(person: SignedIn, authenticator: Authenticator, origin = ORIGIN) {
  const { options, state } = await startPasskeyRegistration(world.ctx, person)
  const response = authenticator.create(options, origin)
  return addPasskey(world.ctx, person, { state, response, name: 'Phone' })
}

/** A member with a passkey. */
async function enrolled(name: string) {
  const member = await newMember(world, 'Viewer')
  const authenticator = createAuthenticator(name)
  const { token } = await register(member, authenticator)
  const session = await findSession(world.ctx, token)
  if (!session) throw new Error('no session')
  return { member: session, authenticator }
}

async function use(authenticator: Authenticator, origin = ORIGIN, flags?: number) {
  const { options, state } = await startPasskey(world.ctx, { kind: 'sign-in' })
  const answer = { state, response: authenticator.get(options, origin, flags) }
  return { answer, result: await signInWithPasskey(world.ctx, answer, clientAt()) }
}

it('a passkey signs in without a password', async () => {
  const { member, authenticator } = await enrolled('one')
  const { result } = await use(authenticator)
  expect((await sessionOf(world.ctx, result)).personId).toBe(member.personId)
  expect(await listPasskeys(world.ctx, member.personId)).toMatchObject([
    { name: 'Phone', transports: ['internal'] },
  ])
})

describe('an answer is refused', () => {
  it('when it is sent again', async () => {
    const { authenticator } = await enrolled('replay')
    const { answer, result } = await use(authenticator)
    expect(result.kind).toBe('signed-in')
    expect((await signInWithPasskey(world.ctx, answer, clientAt())).kind).toBe('refused')
  })

  it('from another origin, and without verification of the user', async () => {
    const { authenticator } = await enrolled('origin')
    expect((await use(authenticator, 'http://evil.test')).result.kind).toBe('refused')
    expect((await use(authenticator, ORIGIN, 1)).result.kind).toBe('refused')
    expect((await use(authenticator)).result.kind).toBe('signed-in')
  })

  it('after five minutes', async () => {
    const { authenticator } = await enrolled('late')
    const { options, state } = await startPasskey(world.ctx, { kind: 'sign-in' })
    world.ctx.clock.advance(5 * MINUTE)
    const answer = { state, response: authenticator.get(options, ORIGIN) }
    expect((await signInWithPasskey(world.ctx, answer, clientAt())).kind).toBe('refused')
  })

  it('of an authenticator whose counter did not grow', async () => {
    const { authenticator } = await enrolled('counter')
    authenticator.counter = 5
    expect((await use(authenticator)).result.kind).toBe('signed-in')
    expect((await use(authenticator)).result.kind).toBe('refused')
    authenticator.counter = 6
    expect((await use(authenticator)).result.kind).toBe('signed-in')
  })

  it('of an unknown or removed passkey, and of any other shape', async () => {
    expect((await use(createAuthenticator('stranger'))).result.kind).toBe('refused')
    const { member, authenticator } = await enrolled('removed')
    await removePasskey(world.ctx, member, authenticator.id)
    expect((await use(authenticator)).result.kind).toBe('refused')
    const { state } = await startPasskey(world.ctx, { kind: 'sign-in' })
    for (const response of [
      null,
      1,
      {},
      { id: 7 },
      { id: authenticator.id },
      { id: authenticator.id, response: {} },
    ])
      expect((await signInWithPasskey(world.ctx, { state, response }, clientAt())).kind).toBe('refused')
  })

  it('of a challenge for another purpose', async () => {
    const { member, authenticator } = await enrolled('purpose')
    const { options, state } = await startPasskey(world.ctx, { kind: 'sign-in' })
    const answer = { state, response: authenticator.get(options, ORIGIN) }
    await expect(proveWithPasskey(world.ctx, member, answer)).rejects.toThrow('was not accepted')
  })
})

it('a passkey is a fresh proof of its own person only', async () => {
  const { member, authenticator } = await enrolled('proof')
  const { authenticator: foreign } = await enrolled('foreign')
  const prove = async (by: Authenticator) => {
    const { options, state } = await startPasskey(world.ctx, { kind: 'proof', person: member })
    return proveWithPasskey(world.ctx, member, { state, response: by.get(options, ORIGIN) })
  }
  await expect(prove(foreign)).rejects.toThrow('was not accepted')
  expect(await findSession(world.ctx, await prove(authenticator))).toBeDefined()
})

it('a passkey completes a sign-in that waits for the second factor', async () => {
  const { member, authenticator } = await enrolled('second')
  const { secret } = await prepareSecondFactor(world.ctx, member)
  const key = Buffer.from(base32Bytes(secret))
  await activateTotp(world.ctx, member, codeOf(key, stepOf(world.ctx.clock.now())))
  const result = await signIn(world.ctx, { email: member.email, password: PASSWORD }, clientAt())
  const token = result.kind === 'second-factor' ? result.token : ''
  const purpose = { kind: 'second-factor', token, personId: member.personId } as const
  const { options, state } = await startPasskey(world.ctx, purpose)
  expect(options.allowCredentials).toMatchObject([{ id: authenticator.id }])
  const answer = { state, response: authenticator.get(options, ORIGIN) }
  expect((await completeWithPasskey(world.ctx, token, answer, clientAt())).kind).toBe('signed-in')
})

function base32Bytes(text: string): number[] {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

it('a passkey is registered for the session that asked, once, from this origin', async () => {
  const [one, other] = [await newMember(world, 'Viewer'), await newMember(world, 'Viewer')]
  const authenticator = createAuthenticator('registered')
  const { options, state } = await startPasskeyRegistration(world.ctx, one)
  const response = authenticator.create(options, ORIGIN)
  await expect(addPasskey(world.ctx, other, { state, response, name: 'X' })).rejects.toThrow(
    'was not accepted',
  )
  await expect(register(one, authenticator, 'http://evil.test')).rejects.toThrow('was not accepted')
  await addPasskey(world.ctx, one, { state, response, name: 'X' })
  await expect(addPasskey(world.ctx, one, { state, response, name: 'X' })).rejects.toThrow('was not accepted')
  await expect(register(other, authenticator)).rejects.toThrow('was not accepted')
})
