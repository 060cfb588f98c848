import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../base/ids.ts'
import { createPasswordWork, hashPassword, needsRehash, verifyPassword } from './hash.ts'
import { isCommonPassword } from './is-common.ts'
import { passwordProblem } from './rules.ts'

const problemOf = (password: string) =>
  passwordProblem(password, { email: 'olga.petrova@example.com', isCommon: isCommonPassword })

describe('a password', () => {
  it.each([
    ['eleven char', 'shorter'],
    ['x'.repeat(257), 'longer'],
    ['abababababab', 'sameCharacters'],
    ['olga.petrova@example.com', 'ownEmail'],
    ['Olga.Petrova2026!', 'ownEmail'],
    ['1qaz2wsx3edc', 'common'],
    ['QWERTYUIOP2026!', 'common'],
    ['password1234', 'common'],
  ])('%j is refused', (password, code) => expect(problemOf(password)?.code).toBe(code))

  it.each([
    'correct horse battery',
    'zwölf Zeichen',
    'пароль из слов',
    '🐈🐕🐎🐂🐖🐏🐑🐐🐪🐘🦏🦍',
    'x8!kq-2Lm@0p',
  ])('%j is accepted: there are no rules for its characters', (password) =>
    expect(problemOf(password)).toBeUndefined(),
  )
})

const work = createPasswordWork({ n: 256, r: 8, p: 1 })
const job = (password: string) => ({ password, network: '192.0.2.1' })

describe('a hash', () => {
  it('matches its own password only, in every normal form', async () => {
    const hash = await hashPassword(work, systemRandom, job('zwölf Zeichen'))
    expect(hash).toMatch(/^scrypt\$256\$8\$1\$/)
    expect(await verifyPassword(work, hash, job('zwo\u0308lf Zeichen'))).toBe(true)
    expect(await verifyPassword(work, hash, job('zwölf Zeichen '))).toBe(false)
  })

  it('is never equal for two accounts', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => hashPassword(work, systemRandom, job('same'))))
    expect(one).not.toBe(other)
  })

  it('keeps its own parameters', async () => {
    const hash = await hashPassword(work, systemRandom, job('same'))
    const stronger = createPasswordWork({ n: 512, r: 8, p: 1 })
    expect(await verifyPassword(stronger, hash, job('same'))).toBe(true)
    expect([needsRehash(work, hash), needsRehash(stronger, hash)]).toEqual([false, true])
  })

  it('that is missing or unreadable matches nothing', async () => {
    for (const stored of [null, undefined, '', 'md5$x', 'scrypt$256$8$1$$'])
      expect(await verifyPassword(work, stored, job(''))).toBe(false)
  })
})

it('a flood of one network is refused before memory runs out', async () => {
  const all = Array.from({ length: 40 }, () => verifyPassword(work, null, job('x')).catch((e) => e.code))
  const answers = await Promise.all(all)
  expect(answers.filter((answer) => answer === 'too_many_requests').length).toBeGreaterThan(0)
  expect(answers.filter((answer) => answer === false)).toHaveLength(17)
})
