import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { after, HOUR } from '../../../src/base/clock.ts'
import { countOpen, disputeSums, listDisputes } from '../../../src/disputes/commands.ts'
import type { DisputePlace } from '../../../src/disputes/store.ts'
import { rollupsJob } from '../../../src/insights/jobs.ts'
import { overview } from '../../../src/insights/overview.ts'
import { routeFigures } from '../../../src/insights/routing.ts'
import { getLink } from '../../../src/links/commands.ts'
import { type App, appNow } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import type { ListedPayment, PaymentFilter } from '../../../src/payments/search/filter.ts'
import { listPayments } from '../../../src/payments/search/search.ts'
import { rangeFilter, readRange } from '../../../src/web/console/overview/range.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { ENDS, life, live, policiesOf } from '../../support/histories.ts'
import { type Answer, good, type TestApp, type TestService } from '../../support/tender.ts'

/**
 * The figures of disputes, routes, payment links and exports, each against the list behind it: for seeded
 * histories, in three time zones, with a clock that was moved. Those of the overview: figures.test.ts.
 */

let office: TestConsole
let tender: TestService
beforeAll(async () => {
  office = await startTestConsole('e2e_figures_behind', { rateLimit: 100_000, role: 'web' })
  tender = office.tender
})
afterAll(() => office?.stop())

/** As the job does within seconds. What moved the clock is in more quarters than are counted live. */
async function countAll(): Promise<void> {
  const { db, clock } = tender.service.ctx
  const later = { ...clock, now: () => after(clock.now(), HOUR) }
  while ((await rollupsJob({ db, clock: later }).runOnce()) > 0);
}

interface World {
  readonly sandbox: TestApp
  readonly app: App
  readonly timeZone: string
  readonly linkId: string
}

/** Payers of a link, of whom each second one pays. */
async function payByLink(sandbox: TestApp): Promise<string> {
  const bounds = { minimumAmount: 1, maximumAmount: 90, currency: 'EUR' }
  const made = await sandbox.call('POST', 'payment-links', {
    ...bounds,
    isReusable: true,
    description: 'Gala',
  })
  const { url, paymentLinkId } = good(made)
  for (const [place, amount] of ['10', '20.50', '30', '4'].entries()) {
    const form = /name="form" value="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? ''
    await fetch(url, { method: 'POST', body: new URLSearchParams({ form, amount }), redirect: 'manual' })
    const [{ paymentId }] = good(await sandbox.call('GET', `payment-links/${paymentLinkId}/payments`))
    if (place % 2 === 0) good(await sandbox.pay(paymentId))
    if (place === 0) good(await sandbox.act(paymentId, 'refund'))
  }
  return paymentLinkId
}

async function worldOf(timeZone: string, seed: number): Promise<World> {
  const { sandbox } = await tender.newMerchant()
  await sandbox.settings({ timeZone })
  const policies = await policiesOf(sandbox)
  for (const one of fc.sample(life, { seed, numRuns: ENDS.length })) await live(sandbox, policies, one)
  for (const [place, end] of ENDS.entries())
    await live(sandbox, policies, { amount: 500 + place, currency: 'USD', end, pauseHours: place % 3 })
  const linkId = await payByLink(sandbox)
  await countAll()
  const app = await loadApp(tender.service.ctx, sandbox.appId)
  if (!app) throw new Error('no app')
  return { sandbox, app, timeZone, linkId }
}

async function listed({ app, timeZone }: World, filter: PaymentFilter, ids?: readonly number[]) {
  const { ctx } = tender.service
  const page = await listPayments(ctx, app, filter, { timeZone, pageSize: 100, ...(ids && { ids }) })
  expect([page.notUnderstood, page.next]).toEqual([[], undefined])
  return page.payments
}

const sumOf = (payments: readonly ListedPayment[], what: 'capturedMinor' | 'refundedMinor'): bigint =>
  payments.reduce((sum, payment) => sum + payment[what], 0n)

async function checkDisputes(world: World): Promise<void> {
  const { ctx } = tender.service
  const { app } = world
  const walk = async (state?: 'open' | 'won' | 'lost') => {
    const found: Awaited<ReturnType<typeof listDisputes>>['items'][number][] = []
    let place: DisputePlace | undefined
    do {
      const page = await listDisputes(ctx, app, { ...(state && { state }), after: place, limit: 2 })
      found.push(...page.items)
      place = page.next
    } while (place)
    return found
  }
  const sums = await disputeSums(ctx, app)
  const totalOf = (state: string) => sums.filter((sum) => sum.state === state)
  for (const state of ['open', 'won', 'lost'] as const) {
    const behind = await walk(state)
    expect(totalOf(state).reduce((all, { count }) => all + count, 0)).toBe(behind.length)
    for (const { currency, count, sumMinor } of totalOf(state)) {
      const own = behind.filter((one) => one.currency === currency)
      expect([state, currency, own.length]).toEqual([state, currency, count])
      expect(own.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(sumMinor)
    }
  }
  const open = await walk('open')
  expect(open.length).toBeGreaterThan(1)
  expect((await walk()).length).toBe(sums.reduce((all, { count }) => all + count, 0))
  expect(await countOpen(ctx, app)).toBe(open.length)
  const disputed = await listed(world, { q: 'state:disputed' })
  expect(disputed.map(({ paymentId }) => paymentId).sort()).toEqual(
    open.map(({ paymentId }) => paymentId).sort(),
  )
}

async function checkRoutes(world: World): Promise<void> {
  const { ctx } = tender.service
  const { sandbox } = world
  const profiles: Answer[] = good(await sandbox.call('GET', 'payment-profiles'))
  const all = profiles.map(({ paymentProfileId }) => ({ paymentProfileId }))
  const routes = [
    { name: 'Small', currency: 'USD', maxAmount: 5.05, profiles: all },
    { name: 'Euros', currency: 'EUR', profiles: all },
    { name: 'Others', profiles: all },
  ]
  good(await sandbox.call('PUT', 'routing', { routes }))
  const app = (await loadApp(ctx, sandbox.appId)) ?? world.app
  const figures = await routeFigures(ctx, app)
  const tried = (await listed(world, {})).filter(({ profileId, method }) => profileId && method)
  expect(figures.payments).toBe(tried.length)
  const isSmall = ({ currency, amountMinor }: ListedPayment) => currency === 'USD' && amountMinor <= 505n
  const isEuro = ({ currency }: ListedPayment) => currency === 'EUR'
  const meant = [isSmall, isEuro, (one: ListedPayment) => !isSmall(one) && !isEuro(one)]
  for (const [place, figure] of figures.routes.entries()) {
    const own = tried.filter((one) => meant[place]?.(one)).map(({ paymentId }) => paymentId)
    expect([place, [...figure.taken].sort()]).toEqual([place, own.sort()])
    const behind = await listed(world, {}, figure.taken)
    expect(behind.length).toBe(figure.taken.length)
    const accepted = await listed(world, { q: 'state:accepted' })
    const approved = accepted.filter(({ paymentId }) => figure.taken.includes(paymentId))
    expect(approved.map(({ paymentId }) => paymentId).sort()).toEqual([...figure.approved].sort())
    const declined = (await listed(world, { q: 'state:declined' })).filter(({ paymentId }) =>
      figure.taken.includes(paymentId),
    )
    const judged = approved.length + declined.length
    expect(figure.approvalRate).toBe(judged === 0 ? null : approved.length / judged)
  }
}

async function checkLink(world: World): Promise<void> {
  const { app, linkId } = world
  const { paidCount, paidMinor } = await getLink(tender.service.ctx, app, linkId)
  const paid = await listed(world, { q: `link:${linkId} state:paid` })
  expect([paidCount, paidMinor]).toEqual([paid.length, sumOf(paid, 'capturedMinor')])
  expect([paidCount, paidMinor]).toEqual([2, 4_000n])
  expect(await listed(world, { q: `link:${linkId}` })).toHaveLength(4)
}

/** Rows of a file as objects, by the names of its columns. */
async function exported({ sandbox }: World, body: object): Promise<Record<string, string>[]> {
  const made = good(await sandbox.call('POST', 'exports', { byteOrderMark: false, ...body }))
  const text: string = good(await sandbox.call('GET', `exports/${made.exportId}/file`))
  const [head = '', ...lines] = text.trim().split('\r\n')
  expect(made.rows).toBe(lines.length)
  const names = head.split(',')
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, place) => [names[place] ?? '', cell])),
  )
}

const minor = (text: string | undefined, digits: number): bigint => {
  const [whole = '0', rest = ''] = (text || '0').split('.')
  return BigInt(whole + rest.padEnd(digits, '0'))
}

async function checkExports(world: World): Promise<void> {
  const { ctx } = tender.service
  const { app, timeZone } = world
  for (const range of ['today', '7d', 'last-month'] as const) {
    const period = readRange({ range }, appNow(ctx, app), { timeZone, monthStartsOn: 1 })
    const days = rangeFilter(period, timeZone)
    const columns = ['paymentId', 'currency', 'captured', 'refunded']
    const rows = await exported(world, { kind: 'payments', columns, ...days })
    const behind = await listed(world, days)
    expect([range, rows.map(({ paymentId }) => Number(paymentId))]).toEqual([
      range,
      behind.map(({ paymentId }) => paymentId),
    ])
    const shown = await overview(ctx, app, { ...period, timeZone })
    for (const { currency, capturedMinor, refundedMinor } of shown.currencies) {
      const own = rows.filter((row) => row.currency === currency)
      const digits = currency === 'KWD' ? 3 : 2
      const total = (name: string) => own.reduce((sum, row) => sum + minor(row[name], digits), 0n)
      expect([range, currency, total('captured'), total('refunded')]).toEqual([
        ...[range, currency, capturedMinor, refundedMinor],
      ])
    }
    if (range === '7d') expect(rows.length).toBeGreaterThan(3)
  }
  const declined = await exported(world, {
    kind: 'payments',
    columns: ['paymentId'],
    query: 'state:declined',
  })
  expect(declined.map(({ paymentId }) => Number(paymentId))).toEqual(
    (await listed(world, { q: 'state:declined' })).map(({ paymentId }) => paymentId),
  )
  const disputes = await exported(world, { kind: 'disputes', columns: ['disputeId', 'state'] })
  for (const { state, count } of groupedByState(await disputeSums(ctx, app)))
    expect([state, disputes.filter((row) => row.state === state).length]).toEqual([state, count])
  const refunds = await exported(world, { kind: 'refunds', columns: ['paymentId', 'state'] })
  const refunded = new Set(refunds.filter(({ state }) => state === 'done').map(({ paymentId }) => paymentId))
  const given = (await listed(world, { q: 'state:refunded,part-refunded' })).map(({ paymentId }) => paymentId)
  // What a lost dispute took is given back without a refund.
  expect(given.map(String)).toEqual(expect.arrayContaining([...refunded]))
  expect(refunded.size).toBeGreaterThan(1)
}

const groupedByState = (sums: Awaited<ReturnType<typeof disputeSums>>) =>
  ['open', 'won', 'lost'].map((state) => ({
    state,
    count: sums.filter((sum) => sum.state === state).reduce((all, { count }) => all + count, 0),
  }))

describe.each([
  ['UTC', 11],
  ['Asia/Kathmandu', 12],
  ['America/St_Johns', 13],
] as const)('in the zone %s, with histories of seed %i and a moved clock', (timeZone, seed) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(timeZone, seed)
  }, 120_000)

  it('counts and sums of disputes are those of their list', () => checkDisputes(world))
  it('figures of routes are payments of the list, and their approval is that of the list', () =>
    checkRoutes(world))
  it('figures of a link are those of its payments', () => checkLink(world))
  it('exports have the rows of their list, and come to the sums of the overview', () => checkExports(world))
})

const ZONES = ['UTC', 'Asia/Kathmandu', 'America/St_Johns'] as const
const unescaped = (text = '') => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'")

describe('the page of the overview', () => {
  beforeAll(async () => {
    const policies = await policiesOf(office.sandbox)
    for (const one of fc.sample(life, { seed: 14, numRuns: ENDS.length }))
      await live(office.sandbox, policies, one)
    for (const end of ENDS)
      await live(office.sandbox, policies, { amount: 700, currency: 'EUR', end, pauseHours: 0 })
    await countAll()
  }, 120_000)

  const rowsOf = async (path: string, mark: string): Promise<number> =>
    (await office.get('Owner', unescaped(path))).html.split(` data-${mark}="`).length - 1

  it.each(ZONES)('has counts that open as many payments, in the zone %s', async (timeZone) => {
    const first = timeZone === 'UTC' ? 1 : 20
    await office.sandbox.settings({ timeZone, monthStartsOn: { value: first } })
    for (const range of ['today', '7d', 'this-month']) {
      const { html } = await office.get('Owner', `overview?range=${range}`)
      const tiles = [...html.matchAll(/<a href="([^"]*\/payments\?[^"]+)"><b>(\d+)<\/b>/g)]
      expect(tiles).toHaveLength(6)
      const begins = /from=\d{4}-\d\d-(\d\d)/.exec(tiles[0]?.[1] ?? '')?.[1]
      if (range === 'this-month') expect([timeZone, Number(begins)]).toEqual([timeZone, first])
      for (const [, path = '', count] of tiles)
        expect([timeZone, path, await rowsOf(path, 'payment')]).toEqual([timeZone, path, Number(count)])
      expect(tiles.some(([, , count]) => Number(count) > 0)).toBe(true)
    }
  })

  it('has the same to look at in every period, and leads to as many', async () => {
    const attention = async (range: string) => {
      const { html } = await office.get('Owner', `overview?range=${range}`)
      const [, list = ''] = /<ul class="attention">(.*?)<\/ul>/s.exec(html) ?? []
      return [...list.matchAll(/href="([^"]+)"><bdi>([^<]*)/g)].map(([, path = '', text = '']) => ({
        path,
        text,
      }))
    }
    const now = await attention('today')
    expect(await attention('last-month')).toEqual(now)
    for (const [page, mark] of [
      ['disputes', 'dispute'],
      ['reviews', 'payment'],
    ] as const) {
      const one = now.find(({ path }) => path.endsWith(`/${page}`))
      expect(Number(/^\d+/.exec(one?.text ?? '')?.[0])).toBeGreaterThan(0)
      expect([page, await rowsOf(one?.path ?? '', mark)]).toEqual([
        page,
        Number(/^\d+/.exec(one?.text ?? '')?.[0]),
      ])
    }
  })
})
