import { after, DAY, SECOND } from '../../base/clock.ts'
import { fileProblem } from '../../base/files/file-problem.ts'
import { money } from '../../base/money.ts'
import { type Enumerations, unlistedOf } from '../enumerations.ts'
import { isOurs, type Json, listAt, numberAt, objectAt, present, textAt, timeAt } from '../kit/json.ts'
import { unreadable } from '../kit/reply.ts'
import {
  amountsOf,
  cursorIn,
  cursorText,
  kindsOf,
  type LineRead,
  rawOf,
  readLines,
  signedMoney,
} from '../kit/settled.ts'
import type { NotDone, Unknown } from '../outcome.ts'
import type { Settlements } from '../port.ts'
import type { LineKind, SettledPage, SettlementWindow } from '../settlement.ts'
import { callApi, type PaypalContext } from './api.ts'
import { listTransactions } from './calls.ts'
import type { PaypalSettings } from './manifest.ts'
import { readAs } from './outcomes.ts'

/**
 * Settled money by the transaction search, one day at a time: PayPal refuses a search with more than 10,000
 * results. It pays out no single lines: the merchant withdraws from the balance. Decision 0161.
 */
export const settlements: Settlements<PaypalSettings> = {
  // A transaction is found some hours after it was made.
  usualDelayDays: 2,
  // An eCheck is pending for up to six bank days, and keeps the day on which it was begun.
  overlapDays: 10,
  maxWindowDays: 31,
  hasFees: true,
  hasPayouts: false,
  read,
}

/**
 * The first three characters of an event code are its group, which tells what it is for the books. T17 is a
 * withdrawal to something that is no bank, T23 tax that PayPal withholds.
 */
const GROUPS = kindsOf({
  sale: 'T00',
  fee: 'T01',
  conversion: 'T02',
  payout: 'T04 T17',
  reserve: 'T15 T21',
  adjustment: `
    T03 T05 T06 T07 T08 T09 T10 T11 T12 T14 T16 T18 T19 T20 T22 T23 T30 T50 T97 T99`,
})

/** Codes that differ from their group: reversals and adjustments. */
const CODES = kindsOf({
  refund: 'T1107',
  payout: 'T1101',
  reserve: 'T1105 T1110 T1111',
  // PayPal takes a payment back because of a complaint or a chargeback. T1118 is that of a payment with a
  // store card ("generic instrument"), at the seller; what a merchant refunds is T1107.
  dispute: 'T1106 T1118 T1201 T1207',
  'dispute-reversal': 'T1202 T1205 T1208',
  fee: 'T1108 T1109',
})

/** Authorisations and lines for display move no money. */
const IDLE = ['T13', 'T98']
/** V: the payment was reversed later, by a transaction of its own. */
const DONE = ['S', 'V']
/** Pending and denied: no money has moved yet, or none will. */
const NOT_DONE = ['P', 'D']

export const LINE_VALUES = {
  eventGroup: { handled: [...GROUPS.keys()], ignored: IDLE },
  transactionStatus: { handled: DONE, ignored: NOT_DONE },
} as const satisfies Enumerations

type Page = SettledPage | NotDone | Unknown

async function read(ctx: PaypalContext, window: SettlementWindow, cursor: string | undefined): Promise<Page> {
  const place = cursorIn(cursor)
  const from = timeAt(place, 'from') ?? window.from
  const page = numberAt(place, 'page') ?? 1
  const end = new Date(Math.min(after(from, DAY).getTime(), window.until.getTime()))
  // The end of a search is included.
  const found = readAs(
    await callApi(ctx, listTransactions({ from, until: after(end, -SECOND) }, page)),
    objectAt,
  )
  if (found.kind !== 'read') return found.kind === 'declined' ? unreadable(found.raw) : found
  const pages = numberAt(found.value, 'total_pages')
  if (pages === undefined) return unreadable()
  const next =
    page < pages ? { from, page: page + 1 } : end < window.until ? { from: end, page: 1 } : undefined
  return {
    ...pageOf(listAt(found.value, 'transaction_details')),
    ...(next ? { next: cursorText(next) } : {}),
  }
}

// ---- pure -------------------------------------------------------------------------------------------------

const infoOf = (item: Json): Json => objectAt(item, 'transaction_info')
const codeOf = (info: Json): string => textAt(info, 'transaction_event_code') ?? ''

export const pageOf = (items: readonly Json[]): SettledPage => ({
  ...{ kind: 'page', payouts: [] },
  ...readLines(items.map(infoOf), lineOf, (info) => textAt(info, 'transaction_id')),
  unlisted: items.map(infoOf).flatMap((info) =>
    unlistedOf(LINE_VALUES, [
      ['eventGroup', codeOf(info).slice(0, 3)],
      ['transactionStatus', textAt(info, 'transaction_status')],
    ]),
  ),
})

const RAW = [
  ...['transaction_id', 'paypal_reference_id', 'paypal_reference_id_type', 'transaction_event_code'],
  ...['transaction_initiation_date', 'transaction_amount.value', 'transaction_amount.currency_code'],
  ...['fee_amount.value', 'fee_amount.currency_code', 'transaction_status', 'bank_reference_id'],
]

function lineOf(info: Json): LineRead {
  const code = codeOf(info)
  const status = textAt(info, 'transaction_status') ?? 'S'
  if (IDLE.includes(code.slice(0, 3)) || NOT_DONE.includes(status)) return undefined
  if (!DONE.includes(status)) return fileProblem('status')
  const [id, time] = [textAt(info, 'transaction_id'), timeAt(info, 'transaction_initiation_date')]
  const gross = amountIn(info, 'transaction_amount')
  // PayPal writes what it takes with a minus.
  const taken =
    info.fee_amount === undefined ? money(0n, gross?.currency ?? '') : amountIn(info, 'fee_amount')
  if (id === undefined || code === '' || !time || !gross || !taken) return fileProblem('event')
  if (taken.currency !== gross.currency) return fileProblem('fee-currency')
  const kind = kindOf(code, gross.minor)
  const fee = money(-taken.minor, taken.currency)
  const net = money(gross.minor + taken.minor, gross.currency)
  const reference = [textAt(info, 'custom_field'), textAt(info, 'invoice_id')].find(isOurs)
  return {
    // A hold and its release have the id of one transaction and two codes.
    id: `${id}/${code}`,
    ...{ kind, time, ids: [id, textAt(info, 'paypal_reference_id')].filter((one) => one !== undefined) },
    raw: rawOf(info, RAW),
    ...amountsOf(kind, { gross, fee, net }),
    ...present({ reference }),
  }
}

/**
 * A payment with a minus is one that the merchant made. PayPal lists chargebacks and their reversals both as
 * credit and as debit: the sign tells which it is.
 */
function kindOf(code: string, minor: bigint): LineKind {
  const kind = CODES.get(code) ?? GROUPS.get(code.slice(0, 3)) ?? 'adjustment'
  if (kind === 'dispute' || kind === 'dispute-reversal') return minor < 0n ? 'dispute' : 'dispute-reversal'
  return kind === 'sale' && minor < 0n ? 'adjustment' : kind
}

function amountIn(info: Json, name: string) {
  const amount = objectAt(info, name)
  return signedMoney(textAt(amount, 'value'), textAt(amount, 'currency_code'))
}
