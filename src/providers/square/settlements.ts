import { isCurrency } from '../../base/currencies.ts'
import { fileProblem } from '../../base/files/file-problem.ts'
import { type Money, money } from '../../base/money.ts'
import { type Enumerations, unlistedOf } from '../enumerations.ts'
import { isObject, type Json, listAt, objectAt, present, textAt, timeAt } from '../kit/json.ts'
import { amountsOf, cursorIn, cursorText, kindsOf, type LineRead, rawOf, readLines } from '../kit/settled.ts'
import type { NotDone, Unknown } from '../outcome.ts'
import type { Settlements } from '../port.ts'
import type { LineKind, SettledLine, SettledPage, SettledPayout, SettlementWindow } from '../settlement.ts'
import { listEntries, listPayouts } from './calls.ts'
import { call, plain, type SquareContext } from './exchange.ts'
import type { SquareSettings } from './manifest.ts'
import { isId } from './wire.ts'

/** Settled money by payouts and their entries. A line is known when it is paid out. Decision 0161. */
export const settlements: Settlements<SquareSettings> = {
  // One to two bank days, and a weekend.
  usualDelayDays: 5,
  overlapDays: 7,
  maxWindowDays: 31,
  hasFees: true,
  hasPayouts: true,
  read,
}

const KINDS = kindsOf({
  sale: 'CHARGE',
  refund: 'REFUND',
  dispute: 'DISPUTE OPEN_DISPUTE',
  fee: `
    DEPOSIT_FEE DEPOSIT_FEE_REVERSED FEE FREE_PROCESSING GIFT_CARD_LOAD_FEE GIFT_CARD_LOAD_FEE_REFUND
    LOCAL_OFFERS_FEE PAID_SERVICE_FEE PAID_SERVICE_FEE_REFUND PROCESSING_FEE PROCESSING_FEE_REFUND
    SUBSCRIPTION_FEE SUBSCRIPTION_FEE_PAID_REFUND SUBSCRIPTION_FEE_REFUND TAX_ON_FEE THIRD_PARTY_FEE
    THIRD_PARTY_FEE_REFUND UNDO_GIFT_CARD_LOAD_FEE_REFUND UNDO_PROCESSING_FEE_REFUND`,
  reserve: 'HOLD_ADJUSTMENT RELEASE_ADJUSTMENT RESERVE_HOLD RESERVE_RELEASE',
  payout: 'PAYOUT',
  adjustment: `
    ADJUSTMENT APP_FEE_REFUND APP_FEE_REVENUE AUTOMATIC_BITCOIN_CONVERSIONS
    AUTOMATIC_BITCOIN_CONVERSIONS_REVERSED AUTOMATIC_SAVINGS AUTOMATIC_SAVINGS_REVERSED
    BALANCE_FOLDERS_TRANSFER BALANCE_FOLDERS_TRANSFER_REVERSED CREDIT_CARD_REPAYMENT
    CREDIT_CARD_REPAYMENT_REVERSED ESCHEATMENT GIFT_CARD_POOL_TRANSFER GIFT_CARD_POOL_TRANSFER_REVERSED
    INITIAL_BALANCE_CHANGE LOCAL_OFFERS_CASHBACK MONEY_TRANSFER MONEY_TRANSFER_REVERSAL OTHER
    OTHER_ADJUSTMENT PERCENTAGE_PROCESSING_DEACTIVATION PERCENTAGE_PROCESSING_ENROLLMENT
    PERCENTAGE_PROCESSING_REPAYMENT PERCENTAGE_PROCESSING_REPAYMENT_REVERSED REDEMPTION_CODE
    RETURNED_PAYOUT SQUARE_CAPITAL_PAYMENT SQUARE_CAPITAL_REVERSED_PAYMENT SQUARE_PAYROLL_TRANSFER
    SQUARE_PAYROLL_TRANSFER_REVERSED`,
})

export const LINE_VALUES = {
  activityType: { handled: [...KINDS.keys()], ignored: [] },
  payoutStatus: { handled: ['SENT', 'PAID', 'FAILED'], ignored: [] },
  payoutType: { handled: ['BATCH', 'SIMPLE'], ignored: [] },
} as const satisfies Enumerations

type Page = SettledPage | NotDone | Unknown

/** A payout, or a page of the entries of one. */
async function read(ctx: SquareContext, window: SettlementWindow, cursor: string | undefined): Promise<Page> {
  const place = cursorIn(cursor)
  const [payout, list, page] = [textAt(place, 'payout'), textAt(place, 'list'), textAt(place, 'page')]
  if (isId(payout)) return readEntries(ctx, { payout, list, page })
  const listed = await call(ctx, listPayouts(ctx.config.locationId, window, list))
  if (listed.kind !== 'object') return plain(listed)
  const [item] = listAt(listed.object, 'payouts')
  const after = textAt(listed.object, 'cursor')
  const head = payoutPage(item)
  const id = textAt(item, 'id')
  if (isId(id) && hasEntries(item))
    return { ...head, next: cursorText({ payout: id, ...present({ list: after }) }) }
  return after === undefined ? head : { ...head, next: cursorText({ list: after }) }
}

interface Place {
  readonly payout: string
  /** Where the list of payouts goes on. */
  readonly list: string | undefined
  readonly page: string | undefined
}

async function readEntries(ctx: SquareContext, { payout, list, page }: Place): Promise<Page> {
  const listed = await call(ctx, listEntries(payout, page))
  if (listed.kind !== 'object') return plain(listed)
  const found = entriesPage(listAt(listed.object, 'payout_entries'))
  const more = textAt(listed.object, 'cursor')
  if (more !== undefined) return { ...found, next: cursorText({ payout, page: more, ...present({ list }) }) }
  return list === undefined ? found : { ...found, next: cursorText({ list }) }
}

// ---- pure -------------------------------------------------------------------------------------------------

/** A payout without entries is an entry of a later one. */
const hasEntries = (item: Json | undefined): boolean => textAt(item, 'type') !== 'SIMPLE'

const STATES: Readonly<Record<string, SettledPayout['state']>> = {
  SENT: 'pending',
  PAID: 'paid',
  FAILED: 'failed',
}

/** A payout, with the line by which it leaves the balance. */
export function payoutPage(item: Json | undefined): SettledPage {
  const empty: SettledPage = { kind: 'page', lines: [], payouts: [], bad: [] }
  if (!item || !hasEntries(item)) return empty
  const [id, time, amount] = [textAt(item, 'id'), timeAt(item, 'created_at'), moneyIn(item, 'amount_money')]
  if (!isId(id) || !time || !amount)
    return {
      ...empty,
      bad: [{ row: id ?? 'payout', problem: fileProblem('payout') }],
    }
  const status = textAt(item, 'status') ?? ''
  const paid = money(-amount.minor, amount.currency)
  const line: SettledLine = {
    ...{ id, kind: 'payout', ids: [id], gross: paid, net: paid, time, payout: id },
    raw: rawOf(item, ['id', 'status', 'type', 'created_at', 'arrival_date', 'end_to_end_id']),
  }
  const payout: SettledPayout = {
    ...{ id, amount, time, state: STATES[status] ?? 'pending' },
    ...present({ arrival: timeAt(item, 'arrival_date'), bankReference: textAt(item, 'end_to_end_id') }),
  }
  const unlisted = unlistedOf(LINE_VALUES, [
    ['payoutStatus', status],
    ['payoutType', textAt(item, 'type')],
  ])
  return { ...empty, lines: [line], payouts: [payout], unlisted }
}

export const entriesPage = (items: readonly Json[]): SettledPage => ({
  ...{ kind: 'page', payouts: [] },
  ...readLines(items, lineOf, (item) => textAt(item, 'id')),
  unlisted: items.flatMap((item) => unlistedOf(LINE_VALUES, [['activityType', textAt(item, 'type')]])),
})

const RAW = [
  'id',
  'payout_id',
  'effective_at',
  'type',
  'gross_amount_money.amount',
  'gross_amount_money.currency',
]

function lineOf(item: Json): LineRead {
  const [id, payout, type] = [textAt(item, 'id'), textAt(item, 'payout_id'), textAt(item, 'type') ?? '']
  const time = timeAt(item, 'effective_at')
  const [gross, fee, net] = ['gross', 'fee', 'net'].map((name) => moneyIn(item, `${name}_amount_money`))
  if (!isId(id) || !isId(payout) || !time || !gross || !net) return fileProblem('unreadable')
  const kind = kindOf(type, net)
  const details = detailsOf(item)
  const ids = ['refund_id', 'dispute_id', 'payment_id'].map((name) => textAt(details, name))
  const amounts = amountsOf(kind, { gross, fee: fee ?? money(gross.minor - net.minor, net.currency), net })
  return { ...{ id, kind, payout, time, ids: ids.filter(isId), raw: rawOf(item, RAW) }, ...amounts }
}

/** A dispute takes money, or gives it back. */
function kindOf(type: string, net: Money): LineKind {
  const kind = KINDS.get(type) ?? 'adjustment'
  return kind === 'dispute' && net.minor > 0n ? 'dispute-reversal' : kind
}

/** The member with details has a name of its own for each type. */
const detailsOf = (item: Json): Json =>
  objectAt(
    Object.entries(item).find(([name, value]) => /^type_\w+_details$/.test(name) && isObject(value))?.[1],
  )

/** Square's description has `currency`, and its examples have `currency_code`. */
function moneyIn(value: unknown, name: string): Money | undefined {
  const found = objectAt(value, name)
  const currency = textAt(found, 'currency') ?? textAt(found, 'currency_code') ?? ''
  if (!Number.isSafeInteger(found.amount) || !isCurrency(currency)) return undefined
  return money(BigInt(found.amount as number), currency)
}
