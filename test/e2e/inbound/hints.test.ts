import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { silentLog } from '../../../src/base/log.ts'
import { appOf, attemptOf, bankAdapter, countOf, notifyAs, operationsOf } from '../../support/notifying.ts'
import { good, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
const logged: object[] = []
beforeAll(async () => {
  const note = (event: string, data: object = {}) => {
    if (event === 'notification.reference_ignored') logged.push(data)
  }
  tender = await startTestService('e2e_hints', { log: { ...silentLog, info: note, warn: note } })
})
afterAll(() => tender?.stop())

const expectProcessed = () => expect.poll(() => countOf(tender, tender.sandbox)).toBe(0)

it('a notification that names a refund, or another step of an attempt, has no effect on money', async () => {
  const { sandbox } = tender
  const { paymentId } = await sandbox.paid()
  good(await sandbox.act(paymentId, 'refund?amount=5'))
  await expectProcessed()
  const before = await sandbox.ledger(paymentId)
  const { profiles } = await appOf(tender, sandbox)
  const others = (await operationsOf(tender, sandbox, paymentId)).filter(({ step }) => step !== 'start')
  expect(others.map(({ step }) => step).sort()).toEqual(['refund'])
  for (const { key, profileId } of others) {
    const profile = profiles.find((one) => one.profileId === profileId)
    if (!profile) throw new Error('the profile does not exist')
    for (const type of ['payment.refunded', 'payment.captured', 'payment.disputed'])
      expect(await notifyAs(tender, profile, { reference: key, type })).toBe(200)
  }
  await expectProcessed()
  await sandbox.advance('1m')
  expect(await sandbox.ledger(paymentId)).toEqual(before)
  expect(await sandbox.read(paymentId)).toMatchObject({ paymentState: 'Captured', refundedAmount: 5 })
  for (const { key, step } of others)
    expect(logged).toContainEqual(expect.objectContaining({ reference: key, step }))
})

it('a notification about an attempt of another profile, or another app, is ignored and logged', async () => {
  const { sandbox } = tender
  const other = (await tender.newMerchant()).sandbox
  const { paymentId } = await sandbox.paid()
  const attempt = await attemptOf(tender, sandbox, paymentId)
  const { profiles } = await appOf(tender, sandbox)
  const own = profiles.find(({ profileId }) => profileId === attempt.profileId)
  const wrong = profiles.find(({ profileId }) => profileId !== attempt.profileId)
  const foreign = (await appOf(tender, other)).profiles[0]
  if (!own || !wrong || !foreign) throw new Error('an app has several profiles')
  await expectProcessed()
  await tender.service.ctx.background.settled()
  const reading = vi.spyOn(bankAdapter(tender), 'retrieve')
  for (const profile of [wrong, foreign])
    expect(await notifyAs(tender, profile, { reference: attempt.key })).toBe(200)
  await expectProcessed()
  await expect.poll(() => countOf(tender, other)).toBe(0)
  expect(reading).not.toHaveBeenCalled()
  expect(logged).toContainEqual(
    expect.objectContaining({
      profileId: wrong.profileId,
      reference: attempt.key,
      ofProfileId: own.profileId,
    }),
  )
  expect(logged).toContainEqual({ appId: other.appId, profileId: foreign.profileId })
  // The same notification to its own profile is processed.
  expect(await notifyAs(tender, own, { reference: attempt.key })).toBe(200)
  await expect.poll(() => reading.mock.calls.length).toBe(1)
  reading.mockRestore()
})
