import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { after, DAY } from '../../../src/base/clock.ts'
import { disputeAnswersJob } from '../../../src/disputes/jobs.ts'
import type { DisputeAnswered, DisputeCase } from '../../../src/providers/disputes.ts'
import type { ProviderAdapter } from '../../../src/providers/port.ts'
import { type Answer, good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

/** Answers whose reply is lost, at a provider that asks more than once and closes its cases late. */

let tender: TestService
let app: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_dispute_sending', { role: 'web' })
  app = tender.sandbox
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter>
  const sandbox = providers.get('sandbox')
  if (!sandbox?.disputes) throw new Error('the sandbox answers no disputes')
  const { limits } = sandbox.disputes
  providers.set('sandbox', {
    ...sandbox,
    disputes: {
      limits,
      read: async () => seen,
      submit: async (_ctx, _dispute, { key }) => sent(key, { submissions: seen.submissions + 1 }),
      accept: async (_ctx, _dispute, key) => sent(key, { isLost: true }),
    },
  })
})
afterAll(() => tender?.stop())

/** What the provider says of the case. It takes answers after its end too: some close a case hours later. */
let seen: DisputeCase
/** What becomes of the next requests; then each is done. */
let replies: ('done' | 'reply-lost' | 'request-lost')[]
const keys: string[] = []
beforeEach(() => {
  seen = { kind: 'case', canSubmit: true, canAccept: true, submissions: 0, isLost: false }
  replies = []
  keys.length = 0
})

function sent(key: string, becomes: Partial<DisputeCase>): DisputeAnswered {
  const reply = replies.shift() ?? 'done'
  keys.push(key)
  if (reply !== 'request-lost') seen = { ...seen, ...becomes }
  return reply === 'done' ? { kind: 'done' } : { kind: 'unknown', why: 'connection-lost' }
}

let days = 0

/** A day after the run before, which is longer than every pause between two tries. */
async function runJob(): Promise<void> {
  const { ctx } = tender.service
  days++
  const clock = { ...ctx.clock, now: () => after(ctx.clock.now(), days * DAY) }
  await disputeAnswersJob({ ...ctx, clock }).runOnce()
  await ctx.background.settled()
}

async function disputed(): Promise<string> {
  const { paymentId } = await app.paid()
  const payment = good(await app.call('POST', `test-helpers/payments/${paymentId}/dispute`, {}))
  return payment.disputes[0].disputeId
}

const stateOf = async (disputeId: string): Promise<string> =>
  good(await app.call('GET', `disputes/${disputeId}`)).answer
const post = async (disputeId: string, verb: 'submit' | 'accept'): Promise<Answer> =>
  good(await app.call('POST', `disputes/${disputeId}/${verb}`)).answer

async function submit(disputeId: string): Promise<Answer> {
  const texts = { explanation: 'A signed receipt' }
  good(await app.call('PUT', `disputes/${disputeId}/evidence`, { texts }))
  return post(disputeId, 'submit')
}

it('an acceptance whose reply was lost is done when the provider says that the dispute is lost', async () => {
  const disputeId = await disputed()
  replies = ['reply-lost']
  expect(await post(disputeId, 'accept')).toBe('accepting')
  await runJob()
  expect([await stateOf(disputeId), keys.length]).toEqual(['accepted', 1])
})

it('an acceptance that never arrived is sent again with its key', async () => {
  const disputeId = await disputed()
  replies = ['request-lost', 'request-lost']
  expect(await post(disputeId, 'accept')).toBe('accepting')
  await runJob()
  expect(await stateOf(disputeId)).toBe('accepting')
  await runJob()
  expect(await stateOf(disputeId)).toBe('accepted')
  expect(keys).toEqual([keys[0], keys[0], keys[0]])
})

it('evidence is done when the provider has more than before, and else sent again with its key', async () => {
  const disputeId = await disputed()
  expect(await submit(disputeId)).toBe('submitted')
  // The provider asks once more. What it had before is not the answer to that.
  replies = ['request-lost']
  expect(await submit(disputeId)).toBe('submitting')
  await runJob()
  expect([await stateOf(disputeId), seen.submissions]).toEqual(['submitted', 2])
  expect(keys).toEqual([keys[0], keys[1], keys[1]])
  expect(keys[1]).not.toBe(keys[0])
  replies = ['reply-lost']
  expect(await submit(disputeId)).toBe('submitting')
  await runJob()
  expect([await stateOf(disputeId), seen.submissions, keys.length]).toEqual(['submitted', 3, 4])
})

it('evidence that was submitted in the dashboard before is not taken for this answer', async () => {
  const disputeId = await disputed()
  seen = { ...seen, submissions: 2 }
  replies = ['request-lost']
  expect(await submit(disputeId)).toBe('submitting')
  await runJob()
  expect([await stateOf(disputeId), seen.submissions, keys.length]).toEqual(['submitted', 3, 2])
})
