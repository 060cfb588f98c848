import { expect, it } from 'vitest'
import type { Unknown } from './outcome.ts'
import { createTokenCache } from './tokens.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)

function cacheAt(start: Date) {
  let now = start
  let requests = 0
  const tokens = createTokenCache().of('profile 1', () => now)
  const request = async () => {
    const token = `token-${++requests}`
    return { kind: 'token' as const, token, expiresAt: new Date(now.getTime() + 600_000) }
  }
  return { tokens, request, move: (ms: number) => (now = after(ms)), count: () => requests }
}

it('keeps a token until a minute before it expires', async () => {
  const { tokens, request, move } = cacheAt(NOW)
  expect(await tokens.get(request)).toMatchObject({ kind: 'token', token: 'token-1' })
  move(539_000)
  expect(await tokens.get(request)).toMatchObject({ kind: 'token', token: 'token-1' })
  move(541_000)
  expect(await tokens.get(request)).toMatchObject({ token: 'token-2' })
})

it('sends one request for parallel callers', async () => {
  const { tokens, request, count } = cacheAt(NOW)
  await Promise.all(Array.from({ length: 20 }, () => tokens.get(request)))
  expect(count()).toBe(1)
})

it('replaces a token that the provider refused, once', async () => {
  const { tokens, request, count } = cacheAt(NOW)
  await tokens.get(request)
  tokens.drop('token-1')
  expect(await tokens.get(request)).toMatchObject({ token: 'token-2' })
  tokens.drop('token-1')
  expect(await tokens.get(request)).toMatchObject({ token: 'token-2' })
  expect(count()).toBe(2)
})

it('does not keep a failure', async () => {
  const { tokens, request } = cacheAt(NOW)
  const lost: Unknown = { kind: 'unknown', why: 'timeout' }
  expect(await tokens.get(async () => lost)).toEqual(lost)
  await expect(
    tokens.get(async () => {
      throw new Error('broken')
    }),
  ).rejects.toThrow('broken')
  expect(await tokens.get(request)).toMatchObject({ kind: 'token' })
})

it('does not share tokens between profiles or settings', async () => {
  const cache = createTokenCache()
  const expiresAt = after(600_000)
  const get = (key: string, token: string) =>
    cache.of(key, () => NOW).get(async () => ({ kind: 'token', token, expiresAt }))
  expect(await get('1 old', 'a')).toMatchObject({ token: 'a' })
  expect(await get('1 new', 'b')).toMatchObject({ token: 'b' })
  expect(await get('1 old', 'c')).toMatchObject({ token: 'a' })
})
