import { expect } from 'vitest'
import { after, DAY } from '../../base/clock.ts'
import { money } from '../../base/money.ts'
import type { Settlements } from '../port.ts'
import type { SettledLine, SettledPage } from '../settlement.ts'
import { operation, type Paid, payAndCapture, see, someMethod } from './core.ts'
import type { ProviderHarness } from './harness.ts'

/** More pages than the suite fills. */
const MAX_PAGES = 200

/** A payment and a refund of a part of it have lines of the same sums, and payouts add up. */
export async function settlesWhatWasMoved(harness: ProviderHarness, settlements: Settlements): Promise<void> {
  const began = harness.context().now()
  const method = someMethod(harness)
  const paid = await payAndCapture(harness, method)
  await harness.waitUntilSettled()
  const back = money(250n, paid.amount.currency)
  const op = operation('refund', paid.reference)
  await harness.adapter.refund(harness.context(), op, (await see(harness, paid)).handles, back)
  await harness.waitUntilSettled()
  await harness.untilReported?.()
  const context = harness.context({ profile: { methods: [method], currency: paid.amount.currency } })
  const window = { from: after(began, -DAY), until: after(context.now(), DAY) }
  const pages: SettledPage[] = []
  for (let cursor: string | undefined; pages.length < MAX_PAGES; ) {
    const page = await settlements.read?.(context, window, cursor)
    if (page?.kind !== 'page') throw new Error(`expected a page, not ${JSON.stringify(page)}`)
    pages.push(page)
    cursor = page.next
    if (cursor === undefined) break
  }
  expect(pages.flatMap(({ bad, unlisted = [] }) => [...bad, ...unlisted])).toEqual([])
  // A line that is reported again has its payout then.
  const lines = new Map(pages.flatMap((page) => page.lines.map((line) => [line.id, line])))
  await expectMoved(harness, { paid, key: op.key, back: back.minor }, [...lines.values()])
  if (settlements.hasPayouts) expectPaidOut(pages, [...lines.values()])
}

interface Moved {
  readonly paid: Paid
  /** The key of the refund. */
  readonly key: string
  readonly back: bigint
}

async function expectMoved(
  harness: ProviderHarness,
  { paid, key, back }: Moved,
  lines: readonly SettledLine[],
) {
  const known: readonly unknown[] = Object.values((await see(harness, paid)).handles)
  const ours = lines.filter(
    ({ ids, reference }) =>
      reference === paid.reference || reference === key || ids.some((id) => known.includes(id)),
  )
  const sum = (kind: SettledLine['kind']) =>
    ours.filter((line) => line.kind === kind).reduce((total, { gross }) => total + gross.minor, 0n)
  expect({ sale: sum('sale'), refund: sum('refund') }).toEqual({ sale: paid.amount.minor, refund: -back })
  for (const { gross, fee, net } of lines)
    if (net?.currency === gross.currency) expect(gross.minor - (fee?.minor ?? 0n)).toBe(net.minor)
}

function expectPaidOut(pages: readonly SettledPage[], lines: readonly SettledLine[]): void {
  const payouts = pages.flatMap((page) => page.payouts)
  expect(payouts.length).toBeGreaterThan(0)
  for (const { id, amount } of payouts) {
    const parts = lines.filter(({ kind, payout }) => payout === id && kind !== 'payout')
    expect(parts.reduce((sum, { net }) => sum + (net?.minor ?? 0n), 0n)).toBe(amount.minor)
  }
}
