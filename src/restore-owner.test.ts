import { expect, it } from 'vitest'
import { clientAt, peopleWorld } from '../test/support/people.ts'
import { auditEntries } from './audit/audit.ts'
import { resetPassword } from './people/members/resets.ts'
import { signIn } from './people/sign-in/sign-in.ts'
import { restoreOwner } from './restore-owner.ts'

const world = peopleWorld()

const environment = () => ({
  DATABASE_URL: world.ctx.databaseUrl,
  SECRET_KEY: 'a secret key of this test with 32 characters',
  OPERATOR_TOKEN: 'x',
  PUBLIC_URL: 'https://pay.example',
})

it('prints a link that restores the access of an owner, and records it', async () => {
  const { ctx, licenseId } = world
  // The link works by real time.
  ctx.clock.advance(Math.max(0, Date.now() - ctx.clock.now().getTime()))
  const url = await restoreOwner(environment(), 'Owner@example.com')
  expect(url).toMatch(/^https:\/\/pay\.example\/console\/restore\/[\w-]{43}$/)
  const password = 'a restored password'
  await resetPassword(ctx, { token: url.slice(-43), password, kind: 'owner-restore' }, clientAt())
  expect((await signIn(ctx, { email: 'owner@example.com', password }, clientAt())).kind).toBe('signed-in')
  const entries = await auditEntries(ctx, licenseId, { action: 'member.access_restored', limit: 5 })
  expect(entries).toMatchObject([{ actor: { kind: 'operator' } }])
})

it('refuses an address of no owner', async () => {
  await expect(restoreOwner(environment(), 'stranger@example.com')).rejects.toThrow(
    'no owner with the address',
  )
  await expect(restoreOwner(environment(), 'x')).rejects.toThrow('not an e-mail address')
})
