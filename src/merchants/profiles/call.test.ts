import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Context } from '../../context.ts'
import { createNodeState } from '../../node/slot.ts'
import type { ProviderAdapter } from '../../providers/port.ts'
import type { App, Profile } from '../app.ts'
import { callProvider } from './call.ts'

const adapter = {
  manifest: {
    origin: () => 'https://bank.example',
    settings: { fields: [], parse: () => ({ ok: true, config: {} }) },
  },
}
// Only the fields that a call uses.
const ctx = {
  providers: new Map([['bank', adapter as unknown as ProviderAdapter]]),
  vault: { open: () => '{}' },
  config: { publicUrl: 'https://pay.example.com' },
  node: createNodeState({}),
  recordCalls: (http: unknown) => http,
} as unknown as Context
const app = { isSandbox: true } as App
const profile = { profileId: 1, provider: 'bank', webhookKey: 'k', settings: new Uint8Array() } as Profile

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('a call to a provider clears its timer after success and failure', async () => {
  expect(await callProvider(ctx, app, profile, async () => 'done')).toBe('done')
  const failing = callProvider(ctx, app, profile, async () => {
    throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})

it('a call to a provider is aborted after twenty seconds', async () => {
  const over = callProvider(
    ctx,
    app,
    profile,
    (_adapter, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  ).then(() => 'given up')
  await vi.advanceTimersByTimeAsync(19_999)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await over).toBe('given up')
})
