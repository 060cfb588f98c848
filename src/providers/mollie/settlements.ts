import { fileProblem } from '../../base/files/file-problem.ts'
import { type Money, money } from '../../base/money.ts'
import { type Enumerations, unlistedOf } from '../enumerations.ts'
import { type Json, listAt, objectAt, textAt, timeAt } from '../kit/json.ts'
import { type ProviderFailure, unreadable, unsupported } from '../kit/reply.ts'
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
import type { LineKind, SettledLine, SettledPage, SettlementWindow } from '../settlement.ts'
import { listBalances, listBalanceTransactions } from './calls.ts'
import { callAsOrganisation, type MollieContext } from './exchange.ts'
import type { MollieSettings } from './manifest.ts'
import { isId } from './payment.ts'

/**
 * Settled money by the transactions of every balance. They have the fee of each payment, and do not name the
 * settlement that pays it out, so a settlement is only the line by which it leaves the balance. See decision
 * 0161.
 */
export const settlements: Settlements<MollieSettings> = {
  usualDelayDays: 3,
  overlapDays: 3,
  maxWindowDays: 31,
  hasFees: true,
  hasPayouts: false,
  read,
}

const KINDS = kindsOf({
  sale: 'payment capture',
  // The last two give back a refund that did not reach the customer.
  refund: 'refund refund-compensation returned-refund returned-refund-compensation',
  // A debit that the payer's bank took back, before or after it was paid.
  return: 'failed-payment unauthorized-direct-debit',
  dispute: 'chargeback chargeback-compensation',
  'dispute-reversal': 'chargeback-reversal reversed-chargeback-compensation',
  fee: `
    balance-charge-fee bank-charged-failure-fee failed-payment-fee fee-prepayment invoice-compensation
    invoice-rounding-compensation managed-fee payment-fee platform-connected-organizations-fee
    reimbursement-fee returned-managed-fee`,
  reserve: `
    api-payment-rolling-reserve-release balance-reserve balance-reserve-return
    capture-rolling-reserve-release cash-collateral-issuance cash-collateral-release
    held-rolling-reserve pending-rolling-reserve released-rolling-reserve rolling-reserve-hold
    rolling-reserve-release to-be-released-rolling-reserve`,
  payout: `
    outgoing-transfer outgoing-custom-amount-transfer canceled-outgoing-transfer canceled-transfer
    returned-transfer`,
  adjustment: `
    application-fee balance-correction balance-topup capture-commission cash-advance-loan
    failed-platform-split-payment failed-split-payment-compensation failed-split-payment-platform
    incoming-transfer loan movement payment-commission platform-payment-chargeback
    platform-payment-refund post-payment-split-payment repayment returned-platform-payment-refund
    reversed-platform-payment-chargeback split-payment split-transaction topup`,
})

export const LINE_VALUES = {
  balanceTransactionType: { handled: [...KINDS.keys()], ignored: [] },
} as const satisfies Enumerations

type Page = SettledPage | NotDone | Unknown

/** The newest transactions come first, and Mollie cannot filter them: all are read back to the window. */
async function read(ctx: MollieContext, window: SettlementWindow, cursor: string | undefined): Promise<Page> {
  if (ctx.config.organizationToken === undefined) return NO_TOKEN
  const place = cursorIn(cursor)
  const listed = await callAsOrganisation(ctx, listBalances(textAt(place, 'balance')))
  if (listed.kind !== 'object') return plain(listed)
  const [balance, following] = listAt(listed.object, '_embedded', 'balances').map(({ id }) => id)
  if (!isId(balance)) return { kind: 'page', lines: [], payouts: [], bad: [] }
  const read = await callAsOrganisation(ctx, listBalanceTransactions(balance, textAt(place, 'from')))
  if (read.kind !== 'object') return plain(read)
  const items = listAt(read.object, '_embedded', 'balance_transactions')
  const more = nextIn(read.object)
  const isOver = items.some((item) => (timeAt(item, 'createdAt') ?? window.from) < window.from)
  const next =
    more !== undefined && !isOver
      ? { balance, from: more }
      : isId(following)
        ? { balance: following }
        : undefined
  return { ...pageOf(items, window), ...(next ? { next: cursorText(next) } : {}) }
}

const NO_TOKEN = unsupported(
  'Mollie reports settled money only to an organisation: enter an organisation access token with the ' +
    'permission balances.read in the settings of the profile.',
)

const plain = (failed: ProviderFailure): NotDone | Unknown =>
  failed.kind === 'declined' ? unreadable(failed.raw) : failed

/** The id from which the next page begins. */
function nextIn(list: Json): string | undefined {
  const href = textAt(list, '_links', 'next', 'href')
  const from = href === undefined ? undefined : /[?&]from=([A-Za-z0-9_]{1,64})(?:&|$)/.exec(href)?.[1]
  return from
}

// ---- pure -------------------------------------------------------------------------------------------------

/** The lines of the transactions that are in the window. */
export function pageOf(items: readonly Json[], { from, until }: SettlementWindow): SettledPage {
  const inWindow = items.filter((item) => {
    const time = timeAt(item, 'createdAt')
    return time === undefined || (time >= from && time < until)
  })
  return {
    ...{ kind: 'page', payouts: [] },
    ...readLines(inWindow, linesOf, (item) => textAt(item, 'id')),
    unlisted: inWindow.flatMap((item) =>
      unlistedOf(LINE_VALUES, [['balanceTransactionType', textAt(item, 'type')]]),
    ),
  }
}

const RAW = [
  ...['id', 'type', 'createdAt', 'initialAmount.value', 'initialAmount.currency', 'resultAmount.value'],
  ...['resultAmount.currency', 'deductions.value', 'deductionDetails.fees.value', 'context.paymentId'],
]

/** Deductions that are not a cost of the payment have lines of their own. */
const APART: readonly (readonly [string, LineKind])[] = [
  ['reservations', 'reserve'],
  ['repayments', 'adjustment'],
]

function linesOf(item: Json): LineRead {
  const [id, time, type] = [textAt(item, 'id'), timeAt(item, 'createdAt'), textAt(item, 'type') ?? '']
  const [gross, result] = [amountIn(item, 'initialAmount'), amountIn(item, 'resultAmount')]
  if (!isId(id) || !time || !gross || !result) return fileProblem('unreadable')
  if (gross.currency !== result.currency) return fileProblem('two-currencies')
  const kind = KINDS.get(type) ?? 'adjustment'
  const common = { time, ids: idsOf(item), raw: rawOf(item, RAW) }
  const apart = APART.flatMap(([name, own]): SettledLine[] => {
    const taken = amountIn(objectAt(item, 'deductionDetails'), name)
    if (!taken || taken.minor === 0n || taken.currency !== gross.currency) return []
    return [{ ...common, id: `${id}/${name}`, kind: own, gross: taken, net: taken }]
  })
  const apartMinor = apart.reduce((sum, line) => sum + line.gross.minor, 0n)
  const net = money(result.minor - apartMinor, result.currency)
  const fee = money(gross.minor - net.minor, net.currency)
  return [{ ...common, id, kind, ...amountsOf(kind, { gross, fee, net }) }, ...apart]
}

/** Mollie's reference has the ids in the context itself, its SDKs below the type. */
function idsOf(item: Json): string[] {
  const context = objectAt(item, 'context')
  const places = [context, ...Object.values(context)]
  const names = ['refundId', 'chargebackId', 'captureId', 'paymentId', 'settlementId']
  const ids = names.flatMap((name) => places.map((place) => textAt(place, name)))
  return [...new Set(ids.filter(isId))]
}

function amountIn(item: Json, name: string): Money | undefined {
  const amount = objectAt(item, name)
  return signedMoney(textAt(amount, 'value'), textAt(amount, 'currency'))
}
