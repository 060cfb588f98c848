import { expect, it } from 'vitest'
import { WEBHOOKS } from '../schedule.ts'
import { createDeliveryShares } from './shares.ts'

const { perApp, perNode } = WEBHOOKS

/** Starts as many deliveries of each app as allowed, round-robin. */
function fill(apps: number): ReturnType<typeof createDeliveryShares> {
  const shares = createDeliveryShares()
  const names = Array.from({ length: apps }, (_, n) => `app_${n}`)
  for (let started = true; started; ) {
    const open = names.filter((appId) => shares.mayStart(appId))
    for (const appId of open) if (shares.mayStart(appId)) shares.enter(appId)
    started = open.length > 0
  }
  return shares
}

it('one app alone gets its share and no more', () => {
  const shares = fill(1)
  expect(shares.total).toBe(perApp)
  expect(shares.isTight('app_0')).toBe(true)
  shares.leave('app_0')
  expect(shares.mayStart('app_0')).toBe(true)
})

it.each([5, 50, 200])('%i apps at their limit leave a slot for another app', (apps) => {
  const shares = fill(apps)
  expect(shares.total).toBeGreaterThan(perNode / 2)
  expect(shares.total).toBeLessThan(perNode)
  expect(shares.mayStart('newcomer')).toBe(true)
})

it('counts nothing for an app whose tries have ended', () => {
  const shares = fill(3)
  for (const [appId, used] of [...shares.byApp]) for (let n = 0; n < used; n++) shares.leave(appId)
  expect([shares.total, shares.byApp.size]).toEqual([0, 0])
})
