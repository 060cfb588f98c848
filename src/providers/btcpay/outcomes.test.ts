import { describe, expect, it } from 'vitest'
import { money } from '../../base/money.ts'
import { startOutcome, verdictOn } from './outcomes.ts'
import { refundsOf } from './refunds.ts'
import type { Invoice, InvoiceStatus } from './wire.ts'

const NOW = new Date('2026-01-01T12:00:00Z')

const invoice = (status: InvoiceStatus, additional = 'None', paidMinor = 0n): Invoice => ({
  id: 'invoice',
  orderId: 'A0000000000000000001',
  amount: money(1000n, 'EUR'),
  ...{ status, additional, paidMinor, createdTime: 0 },
  checkoutLink: 'https://pay.example.com/i/invoice',
  monitoredUntil: new Date('2026-01-02T00:00:00Z'),
})

const WATCHED = { allSettled: false, now: NOW }
const GIVEN_UP = { allSettled: false, now: new Date('2026-01-03T00:00:00Z') }
const CONFIRMED = { allSettled: true, now: NOW }

describe('the stage of an invoice', () => {
  it.each<[Invoice, { allSettled?: boolean; now: Date }, object]>([
    [invoice('New'), { now: NOW }, { stage: 'needs-customer', capturedMinor: 0n }],
    [invoice('New', 'PaidPartial', 400n), { now: NOW }, { stage: 'needs-customer', capturedMinor: 0n }],
    [invoice('Processing', 'None', 1000n), { now: NOW }, { stage: 'processing', capturedMinor: 0n }],
    [invoice('Processing', 'PaidOver', 1200n), { now: NOW }, { stage: 'processing', capturedMinor: 0n }],
    [invoice('Settled', 'None', 1000n), { now: NOW }, { stage: 'captured', capturedMinor: 1000n }],
    [invoice('Settled', 'PaidOver', 1200n), { now: NOW }, { stage: 'captured', capturedMinor: 1000n }],
    [invoice('Settled', 'Marked', 0n), { now: NOW }, { stage: 'captured', capturedMinor: 1000n }],
    [invoice('Settled', 'None', 990n), { now: NOW }, { stage: 'captured', capturedMinor: 1000n }],
    [invoice('Expired'), { now: NOW }, { stage: 'expired', capturedMinor: 0n }],
    [invoice('Expired', 'PaidLate', 1000n), WATCHED, { stage: 'processing', capturedMinor: 0n }],
    [invoice('Expired', 'PaidLate', 1000n), CONFIRMED, { stage: 'captured', capturedMinor: 1000n }],
    [invoice('Expired', 'PaidLate', 1000n), GIVEN_UP, { stage: 'declined', capturedMinor: 0n }],
    [
      invoice('Expired', 'PaidPartial', 400n),
      WATCHED,
      { stage: 'needs-customer', capturedMinor: 0n, receivedMinor: 400n },
    ],
    [
      invoice('Expired', 'PaidPartial', 400n),
      CONFIRMED,
      { stage: 'needs-customer', capturedMinor: 0n, receivedMinor: 400n },
    ],
    [
      invoice('Expired', 'PaidPartial', 400n),
      { ...CONFIRMED, now: GIVEN_UP.now },
      { stage: 'declined', capturedMinor: 400n, decline: { reason: 'underpaid' } },
    ],
    [
      invoice('Invalid', 'Marked', 400n),
      CONFIRMED,
      { stage: 'declined', capturedMinor: 400n, decline: { reason: 'underpaid' } },
    ],
    [invoice('Frozen' as InvoiceStatus), { now: NOW }, { stage: 'processing', capturedMinor: 0n }],
    [invoice('Invalid', 'Marked'), { now: NOW }, { stage: 'cancelled', capturedMinor: 0n }],
    [invoice('Invalid', 'Marked', 1000n), CONFIRMED, { stage: 'captured', capturedMinor: 1000n }],
    [invoice('Invalid'), { now: NOW }, { stage: 'declined', decline: { reason: 'generic' } }],
    [invoice('Invalid', 'None', 1000n), GIVEN_UP, { stage: 'declined', capturedMinor: 0n }],
  ])('%#', (seen, read, expected) => {
    expect(verdictOn({ invoice: seen, ...read })).toMatchObject(expected)
  })
})

describe('an invoice that is found again', () => {
  it.each<[Invoice, object, object]>([
    [invoice('New'), {}, { kind: 'redirect', url: 'https://pay.example.com/i/invoice' }],
    [invoice('Processing', 'None', 1000n), {}, { kind: 'pending', waitsFor: 'confirmations' }],
    [invoice('Settled', 'None', 1000n), {}, { kind: 'approved', stage: 'captured' }],
    [invoice('Expired'), {}, { kind: 'declined', reason: 'expired' }],
    [invoice('Invalid', 'Marked'), {}, { kind: 'declined', reason: 'customer-cancelled' }],
    [invoice('Invalid', 'Marked', 1n), { allSettled: true }, { kind: 'pending' }],
    [
      invoice('Expired', 'PaidPartial', 1n),
      { allSettled: true },
      { kind: 'redirect', expiresAt: new Date('2026-01-02T00:00:00Z') },
    ],
  ])('%#', (seen, read, expected) => {
    expect(startOutcome({ invoice: seen, now: NOW, ...read })).toMatchObject(expected)
  })

  it('is not trusted without a page', () => {
    const { checkoutLink: _page, ...seen } = invoice('New')
    expect(startOutcome({ invoice: seen, now: NOW })).toMatchObject({ kind: 'unknown' })
  })
})

describe('refunds made on the pages of the server', () => {
  const pull = (amount: string, currency: string) => ({
    pull: { id: 'p', name: 'Refund invoice', description: '', amount, currency, archived: false },
    payouts: [{ amount, currency, state: 'Completed' }],
  })
  const paid = invoice('Settled', 'None', 1000n)

  it('are converted if they are in coins', () => {
    const rates = new Map([['BTC', '50000']])
    expect(refundsOf(paid, [pull('0.0002', 'BTC')], rates)).toMatchObject([
      { seen: { amount: money(1000n, 'EUR'), state: 'done' } },
    ])
  })

  it('are left out if their coin has no rate', () => {
    expect(refundsOf(paid, [pull('0.0002', 'XMR')], new Map())).toEqual([])
  })

  it('return what was paid too much first', () => {
    const over = invoice('Settled', 'PaidOver', 1200n)
    expect(refundsOf(over, [pull('5.00', 'EUR')], new Map())).toMatchObject([
      { seen: { amount: money(300n, 'EUR'), state: 'done' } },
    ])
  })
})
