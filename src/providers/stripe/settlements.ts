import { fileProblem } from '../../base/files/file-problem.ts'
import { type Money, money } from '../../base/money.ts'
import { type Enumerations, unlistedOf } from '../enumerations.ts'
import { type Json, listAt, numberAt, objectAt, present, secondsAt, textAt } from '../kit/json.ts'
import type { ProviderFailure } from '../kit/reply.ts'
import { amountsOf, cursorIn, cursorText, kindsOf, type LineRead, rawOf, readLines } from '../kit/settled.ts'
import type { NotDone, Unknown } from '../outcome.ts'
import type { Settlements } from '../port.ts'
import type { SettledPage, SettledPayout, SettlementWindow } from '../settlement.ts'
import { fromWire } from './amounts.ts'
import { call, type StripeContext } from './exchange.ts'
import type { StripeSettings } from './manifest.ts'
import { listBalance, listPayouts, OPERATION, REFERENCE } from './reads.ts'
import { idAt, isId } from './wire.ts'

/**
 * Settled money by balance transactions: first all of the window, then those of each payout of the window,
 * which are the same lines with their payout. Decision 0161.
 */
export const settlements: Settlements<StripeSettings> = {
  usualDelayDays: 1,
  // A payout is on its way for up to a week, and its transactions are known when Stripe has completed it.
  overlapDays: 14,
  maxWindowDays: 31,
  hasFees: true,
  hasPayouts: true,
  read,
}

/** What the categories of Stripe are. Disputes are `adjustment` by type, so only the category tells them. */
const KINDS = kindsOf({
  // A partial capture is a charge of the whole amount and the reversal of the rest.
  sale: 'charge partial_capture_reversal',
  refund: 'refund refund_failure',
  return: 'charge_failure',
  dispute: 'dispute',
  'dispute-reversal': 'dispute_reversal',
  fee: 'fee network_cost tax',
  reserve: 'risk_reserved_funds connect_reserved_funds',
  payout: 'payout payout_reversal',
  adjustment: `
    advance advance_funding anticipation_repayment climate_order_purchase climate_order_refund
    connect_collection_transfer contribution financing_paydown financing_paydown_reversal financing_payout
    financing_payout_reversal issuing_authorization_hold issuing_authorization_release issuing_dispute
    issuing_transaction other_adjustment platform_earning
    platform_earning_refund topup topup_reversal transfer transfer_reversal`,
})

/** Balances that no payment goes to. */
const OTHER_BALANCES = ['issuing', 'risk_reserved']

export const LINE_VALUES = {
  'reporting category': { handled: [...KINDS.keys()], ignored: [] },
  'balance type': { handled: OTHER_BALANCES, ignored: ['payments', 'refund_and_dispute_prefunding'] },
  'payout status': { handled: ['paid', 'failed', 'canceled'], ignored: ['pending', 'in_transit'] },
} as const satisfies Enumerations

type Page = SettledPage | NotDone | Unknown

async function read(ctx: StripeContext, window: SettlementWindow, cursor: string | undefined): Promise<Page> {
  const place = cursorIn(cursor)
  const [payout, after] = [textAt(place, 'payout'), textAt(place, 'after')]
  if (place.phase === 'payouts') return readPayout(ctx, window, after)
  const of = isId(payout) ? { payout } : {}
  const listed = await call(ctx, listBalance({ window, after, ...of }))
  if (listed.kind !== 'object') return plain(listed)
  const items = listAt(listed.object, 'data')
  const last = textAt(items.at(-1), 'id')
  const isMore = listed.object.has_more === true && last !== undefined
  const next = isMore
    ? { ...of, after: last }
    : { phase: 'payouts', ...(isId(payout) ? { after: payout } : {}) }
  return pageOf(items, { payout, next })
}

/** One payout of the window. Its lines follow on the next pages. */
async function readPayout(
  ctx: StripeContext,
  window: SettlementWindow,
  after: string | undefined,
): Promise<Page> {
  const listed = await call(ctx, listPayouts(window, after))
  if (listed.kind !== 'object') return plain(listed)
  const [item] = listAt(listed.object, 'data')
  const id = textAt(item, 'id')
  if (!item || !isId(id)) return { kind: 'page', lines: [], payouts: [], bad: [] }
  const payout = payoutIn(item)
  const hasLines = item.automatic === true && textAt(item, 'reconciliation_status') !== 'in_progress'
  return {
    ...{ kind: 'page', lines: [], payouts: payout && item.automatic === true ? [payout] : [] },
    bad: payout ? [] : [{ row: id, problem: fileProblem('payout') }],
    unlisted: unlistedOf(LINE_VALUES, [['payout status', textAt(item, 'status')]]),
    next: cursorText(hasLines ? { payout: id } : { phase: 'payouts', after: id }),
  }
}

/** A read is never declined. */
const plain = (failed: ProviderFailure): NotDone | Unknown =>
  failed.kind === 'declined' ? { kind: 'unknown', why: 'unreadable-reply', raw: failed.raw } : failed

// ---- pure -------------------------------------------------------------------------------------------------

interface Place {
  readonly payout?: string | undefined
  readonly next?: object
}

/** The lines of a list of balance transactions. */
export function pageOf(items: readonly Json[], { payout, next }: Place): SettledPage {
  return {
    ...{ kind: 'page', payouts: [] },
    ...readLines(
      items,
      (item) => lineOf(item, payout),
      (item) => textAt(item, 'id'),
    ),
    unlisted: items.flatMap((item) =>
      unlistedOf(LINE_VALUES, [
        ['reporting category', textAt(item, 'reporting_category')],
        ['balance type', textAt(item, 'balance_type')],
      ]),
    ),
    ...(next ? { next: cursorText(next) } : {}),
  }
}

const RAW = [
  ...['id', 'type', 'reporting_category', 'amount', 'fee', 'net', 'currency', 'exchange_rate', 'created'],
  ...['available_on', 'source.id', 'source.amount', 'source.currency', 'source.payment_intent'],
]

function lineOf(item: Json, payout: string | undefined): LineRead {
  if (OTHER_BALANCES.includes(textAt(item, 'balance_type') ?? '')) return undefined
  const [id, time] = [textAt(item, 'id'), secondsAt(item, 'created')]
  const [amount, fee, net] = ['amount', 'fee', 'net'].map((name) => fromWire(item[name], item.currency))
  if (!isId(id) || !time || !amount || !fee || !net) return fileProblem('unreadable')
  const gross = grossOf(item, amount)
  if (!gross) return fileProblem('converted')
  const kind = KINDS.get(textAt(item, 'reporting_category') ?? '') ?? 'adjustment'
  const source = objectAt(item, 'source')
  const isOfPayout = kind === 'payout' ? idAt(item, 'source') : undefined
  return {
    ...{ id, kind, time, ids: idsOf(item), raw: rawOf(item, RAW) },
    ...amountsOf(kind, { gross, fee, net }),
    ...present({
      reference: textAt(source, 'metadata', OPERATION) ?? textAt(source, 'metadata', REFERENCE),
      rate: numberAt(item, 'exchange_rate')?.toString(),
      payout: payout ?? isOfPayout,
    }),
  }
}

/** The refund or dispute, its charge, and the payment. */
function idsOf(item: Json): string[] {
  const source = objectAt(item, 'source')
  const ids = [idAt(item, 'source'), idAt(source, 'charge'), idAt(source, 'payment_intent')]
  return [...new Set(ids.filter(isId))]
}

/** In the currency of the charge: a converted line has it only in its source. */
function grossOf(item: Json, amount: Money): Money | undefined {
  const source = objectAt(item, 'source')
  const isConverted = numberAt(item, 'exchange_rate') !== undefined
  if (!isConverted) return amount
  const charged = fromWire(source.amount, source.currency)
  if (!charged) return undefined
  const captured = fromWire(source.amount_captured, source.currency)
  const isRest = textAt(item, 'reporting_category') === 'partial_capture_reversal' && captured !== undefined
  const minor = isRest ? charged.minor - captured.minor : charged.minor
  return money(amount.minor < 0n ? -minor : minor, charged.currency)
}

const STATES: Readonly<Record<string, SettledPayout['state']>> = {
  ...{ paid: 'paid', failed: 'failed', canceled: 'failed' },
}

export function payoutIn(item: Json): SettledPayout | undefined {
  const [id, time] = [textAt(item, 'id'), secondsAt(item, 'created')]
  const amount = fromWire(item.amount, item.currency)
  if (!isId(id) || !time || !amount) return undefined
  const bankReference = textAt(item, 'trace_id', 'value') ?? textAt(item, 'statement_descriptor')
  return {
    ...{ id, amount, time, state: STATES[textAt(item, 'status') ?? ''] ?? 'pending' },
    ...present({ arrival: secondsAt(item, 'arrival_date'), bankReference }),
  }
}
