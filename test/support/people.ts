import { afterAll, beforeAll } from 'vitest'
import { sql } from '../../src/db/database.ts'
import { createLicense } from '../../src/merchants/licenses/commands.ts'
import type { Role } from '../../src/people/access/roles.ts'
import { createOwner, setupToken } from '../../src/people/accounts/setup.ts'
import { inviteMember, joinAsNew } from '../../src/people/members/invitations.ts'
import { createPasswordWork, passwordWork } from '../../src/people/passwords/hash.ts'
import type { SignInClient } from '../../src/people/person.ts'
import { findSession } from '../../src/people/sessions/sessions.ts'
import { type SignInResult, signIn } from '../../src/people/sign-in/sign-in.ts'
import type { SignedIn } from '../../src/people/signed-in.ts'
import { type TestContext, type TestContextOptions, testContext } from './context.ts'
import { withPart } from './node.ts'

export const PASSWORD = 'a long password for tests'

/** A client of this network. */
export const clientAt = (network = '192.0.2.1'): SignInClient => ({
  address: network,
  network,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  requestId: 'req_test',
})

/** A context whose passwords cost little time. */
export async function peopleContext(options: TestContextOptions = {}): Promise<TestContext> {
  const ctx = await testContext(options)
  return withPart(ctx, passwordWork, createPasswordWork({ n: 256, r: 8, p: 1 }))
}

export interface People {
  readonly ctx: TestContext
  readonly licenseId: string
  readonly owner: SignedIn
}

/** A licence with its first owner, for all tests of a file; there by the first one. */
export function peopleWorld(options: TestContextOptions = {}): People {
  const world = {} as People
  beforeAll(async () => {
    const ctx = await peopleContext(options)
    const owner = { token: setupToken(ctx), email: 'owner@example.com', name: 'Olga', password: PASSWORD }
    const created = await createOwner(ctx, { ...owner, licenseName: 'Corner Bookshop' }, clientAt())
    const signedIn = await findSession(ctx, created.sessionToken)
    Object.assign(world, { ctx, licenseId: created.licenseId, owner: signedIn })
  })
  afterAll(() => world.ctx?.close())
  return world
}

let count = 0

/** A further member, signed in. */
export async function newMember({ ctx, licenseId }: People, role: Role): Promise<SignedIn> {
  const email = `member${++count}@example.com`
  const { token } = await inviteMember(ctx, { role: 'Owner' }, { licenseId, email, role })
  await joinAsNew(ctx, token, { name: `Member ${count}`, password: PASSWORD }, clientAt())
  return sessionOf(ctx, await signIn(ctx, { email, password: PASSWORD }, clientAt()))
}

/** The person has proved the e-mail address, by a link or at the OpenID provider. */
export async function verify(ctx: TestContext, { personId }: Pick<SignedIn, 'personId'>): Promise<void> {
  const text = 'update people set verified_time = $2 where person_id = $1'
  await ctx.db.query(sql('test.verify', text), [personId, ctx.clock.now()])
}

/** A further licence. */
export const newLicenseId = async (ctx: TestContext): Promise<string> =>
  (await createLicense(ctx, 'Another shop')).licenseId

/** The session of a completed sign-in. */
export async function sessionOf(ctx: TestContext, result: SignInResult): Promise<SignedIn> {
  const session = result.kind === 'signed-in' ? await findSession(ctx, result.token) : undefined
  if (!session) throw new Error(`not signed in: ${result.kind}`)
  return session
}
