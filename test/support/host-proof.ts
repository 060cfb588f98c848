import { type MockInstance, vi } from 'vitest'
import type { Context } from '../../src/context.ts'
import type { TestApp } from './tender.ts'

/** TXT entries of names, instead of those of the network. */
export function fakeTexts({ dns }: Pick<Context, 'dns'>) {
  const entries = new Map<string, string[]>()
  const spy: MockInstance<Context['dns']['texts']> = vi.spyOn(dns, 'texts')
  spy.mockImplementation(async (_owner, name) => entries.get(name) ?? [])
  return { entries, restore: () => spy.mockRestore() }
}

/** Sets the host name of a checkout and proves it by a DNS entry, if that is needed. */
export async function setProvedHost(ctx: Pick<Context, 'dns'>, app: Pick<TestApp, 'call'>, host: string) {
  const set = await app.call('PATCH', 'checkout-page', { domain: host })
  const proof = set.body.hostProof
  if (set.status !== 200 || !proof) return set
  const texts = fakeTexts(ctx)
  texts.entries.set(proof.recordName, [proof.recordValue])
  const { status, body } = await app.call('POST', 'checkout-domain/check')
  texts.restore()
  if (!body.isProven) throw new Error(`the host name was not proved: ${status} ${JSON.stringify(body)}`)
  return app.call('GET', '')
}
