import { expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/clock.ts'
import { createAnonymousLimit } from './anonymous.ts'
import { createGate } from './unknown-secrets.ts'

const policy = { name: 'address', perSecond: 1, burst: 2 }

function gateWith(known: ReadonlySet<string>) {
  const clock = createFakeClock()
  const gate = createGate({ clock, policy })
  const reads: string[] = []
  const pass = async (subject: string, secret: string) => {
    const read = async () => {
      reads.push(secret)
      return known.has(secret) ? secret : undefined
    }
    return await gate.pass({ subject, secret }, read).catch(({ code }: { code: string }) => code)
  }
  return { clock, reads, pass }
}

it('guesses from many addresses together cause a bounded number of reads', async () => {
  const { clock, reads, pass } = gateWith(new Set(['right']))
  expect(await pass('first', 'right')).toBe('right')
  for (let n = 0; n < 3_000; n++) await pass(`stranger ${n}`, `wrong ${n}`)
  expect(reads).toHaveLength(1 + 1_000)
  expect(await pass('first', 'right')).toBe('right')
  clock.advance(1_000)
  for (let n = 0; n < 3_000; n++) await pass(`other ${n}`, `wrong ${n}`)
  expect(reads).toHaveLength(1 + 1_000 + 1 + 500)
})

it('a secret that is found costs nothing; a deleted one counts as a guess again', async () => {
  const known = new Set(['a', 'b', 'c', 'd'])
  const { pass } = gateWith(known)
  for (const secret of known) expect(await pass('one', secret)).toBe(secret)
  known.delete('a')
  // Cached as known until a read does not find it; then limited like any other.
  const answers: unknown[] = []
  for (let n = 0; n < 4; n++) answers.push(await pass('one', 'a'))
  expect(answers).toEqual([undefined, undefined, undefined, 'too_many_requests'])
  expect(await pass('one', 'b')).toBe('b')
})

it('a failed read does not count as a guess', async () => {
  const gate = createGate({ clock: createFakeClock(), policy })
  const away = () => Promise.reject(new Error('away'))
  for (let n = 0; n < 5; n++)
    await expect(gate.pass({ subject: 'one', secret: 'a' }, away)).rejects.toThrow('away')
  expect(await gate.pass({ subject: 'one', secret: 'a' }, async () => undefined)).toBeUndefined()
})

it('routes without a key are limited in groups with separate buckets', () => {
  const limit = createAnonymousLimit(createFakeClock())
  const allowed = (template: string | undefined, network: string) => {
    for (let count = 0; ; count++)
      try {
        limit(template, network)
      } catch {
        return count
      }
  }
  expect(allowed('/docs', 'a')).toBe(1_000)
  expect(allowed(undefined, 'a')).toBe(0)
  expect(allowed('/assets/logos/{appId}/{hash}', 'a')).toBe(10_000)
  expect(allowed('/health/ready', 'a')).toBe(5_000)
  expect(allowed('/openapi.json', 'b')).toBe(1_000)
})
