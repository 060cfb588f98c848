import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { listenToNodes, tellChange, watchPayment } from './watch.ts'

const payment = { appId: 'app_watched', paymentId: 7 }
let here: TestContext
let there: TestContext
const stops: (() => void)[] = []

beforeAll(async () => {
  here = await testContext()
  there = await testContext({ sharing: here })
  stops.push(listenToNodes(here), listenToNodes(there))
})

afterAll(async () => {
  for (const stop of stops) stop()
  await there.close()
  await here.close()
})

it('a page is notified immediately of a change on its own node', () => {
  const ended = new AbortController()
  const onChange = vi.fn()
  watchPayment(here, payment, onChange, ended.signal)
  tellChange(here, payment)
  expect(onChange).toHaveBeenCalledTimes(1)
  ended.abort()
  tellChange(here, payment)
  expect(onChange).toHaveBeenCalledTimes(1)
})

it('a page is notified of a change on another node', async () => {
  const ended = new AbortController()
  const onChange = vi.fn()
  await vi.waitFor(
    () => {
      // Published again each time: the other node may not listen yet, and watchers rarely repeat.
      watchPayment(here, payment, onChange, ended.signal)
      tellChange(there, payment)
      expect(onChange).toHaveBeenCalled()
    },
    { timeout: 60_000, interval: 100 },
  )
  ended.abort()
})

it('changes without a watcher send no notification', async () => {
  const sent = vi.spyOn(there.db, 'query')
  tellChange(there, { appId: 'app_alone', paymentId: 8 })
  expect(sent).not.toHaveBeenCalled()
  sent.mockRestore()
})
