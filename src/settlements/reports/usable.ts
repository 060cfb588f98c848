import { after, DAY } from '../../base/clock.ts'
import { isCurrency } from '../../base/currencies.ts'
import { type FileProblem, fileProblem } from '../../base/files/file-problem.ts'
import type { Money } from '../../base/money.ts'
import { inTurns } from '../../base/turns.ts'
import {
  type BadRow,
  LINE_KINDS,
  type SettledLine,
  type SettledPage,
  type SettledPayout,
} from '../../providers/settlement.ts'
import { SETTLEMENTS } from '../limits.ts'

/** Text that PostgreSQL cannot store. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
const isId = (text: string): boolean => text !== '' && text.length <= SETTLEMENTS.idLength && isStorable(text)
const absolute = (minor: bigint): bigint => (minor < 0n ? -minor : minor)
const isMoney = (money: Money | undefined): boolean =>
  money === undefined || (isCurrency(money.currency) && absolute(money.minor) <= SETTLEMENTS.mostMinor)

const NO_ID = fileProblem('id')
const NO_MONEY = fileProblem('money')
const NO_TIME = fileProblem('no-time')

/** Undefined: the line can be stored. `latest`: see `latestTime`. */
function problemOf(line: SettledLine, latest: Date): FileProblem | undefined {
  const texts = [line.id, ...line.ids, line.reference ?? '-', line.rate ?? '-', line.payout ?? '-']
  if (!texts.every(isId)) return NO_ID
  if (!LINE_KINDS.includes(line.kind)) return fileProblem('no-kind')
  if (![line.gross, line.fee, line.net].every(isMoney)) return NO_MONEY
  if (!isTime(line.time, latest)) return NO_TIME
  return isStorable(line.raw) ? undefined : fileProblem('characters')
}

function problemOfPayout({ id, amount, time }: SettledPayout, latest: Date): FileProblem | undefined {
  if (!isId(id)) return NO_ID
  if (!isMoney(amount)) return NO_MONEY
  return isTime(time, latest) ? undefined : NO_TIME
}

/** No provider is older. An invalid date is refused too. */
const EARLIEST = new Date('1990-01-01T00:00:00Z')
const isTime = (time: Date, latest: Date): boolean => time >= EARLIEST && time <= latest

/** Everything before the latest line counts as covered, so a line of a far future would hide late reports. */
const latestTime = (now: Date): Date => after(now, SETTLEMENTS.futureDays * DAY)

export interface UsablePage {
  /** Each id once. */
  readonly lines: readonly SettledLine[]
  /** The same ids again, with other content. */
  readonly again: readonly SettledLine[]
  /** Each id once. */
  readonly payouts: readonly SettledPayout[]
  readonly bad: readonly BadRow[]
}

/** What can be stored of a page. Adapters check formats; this checks what remains. */
export async function usablePage({ lines, payouts, bad }: SettledPage, now: Date): Promise<UsablePage> {
  const first = new Map<string, SettledLine>()
  const again: SettledLine[] = []
  const refused: BadRow[] = []
  const refusedPayouts = new Set<string | undefined>()
  const latest = latestTime(now)
  for await (const line of inTurns(lines)) {
    const problem = problemOf(line, latest)
    const known = first.get(line.id)
    if (problem) {
      refused.push({ row: line.id, problem })
      refusedPayouts.add(line.payout)
    } else if (!known) first.set(line.id, { ...line, ids: unique(line.ids) })
    else if (!isSame(line, known)) again.push(line)
  }
  // The last of several is the newest state, as if each had come in a report of its own.
  const paid = new Map<string, SettledPayout>()
  for await (const payout of inTurns(payouts)) {
    const problem = problemOfPayout(payout, latest)
    if (!problem) paid.set(payout.id, withReference(payout))
    else if (!refusedPayouts.has(payout.id)) refused.push({ row: payout.id, problem })
  }
  const shownRows = [...bad, ...refused].map(({ row, problem }) => ({
    row: shown(row, SETTLEMENTS.idLength),
    problem: storable(problem),
  }))
  return { lines: [...first.values()], again, payouts: [...paid.values()], bad: shownRows }
}

const withReference = ({ bankReference, ...payout }: SettledPayout): SettledPayout =>
  bankReference === undefined
    ? payout
    : { ...payout, bankReference: shown(bankReference, SETTLEMENTS.idLength) }

/**
 * Whether the amounts of a page add up to more than accounts and their sums hold. Nothing of such a file is
 * booked.
 */
export function isTooMuch({ lines, payouts }: Pick<SettledPage, 'lines' | 'payouts'>): boolean {
  const totals = new Map<string, bigint>()
  const amounts = [
    ...lines.flatMap(({ gross, fee, net }) => [gross, fee, net]),
    ...payouts.map(({ amount }) => amount),
  ]
  for (const money of amounts)
    if (money && isMoney(money))
      totals.set(money.currency, (totals.get(money.currency) ?? 0n) + absolute(money.minor))
  return [...totals.values()].some((total) => total > SETTLEMENTS.mostTotalMinor)
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)].slice(0, SETTLEMENTS.idsPerLine)

function storable({ code, values }: FileProblem): FileProblem {
  const texts = Object.entries(values ?? {}).map(([name, value]) => {
    return [name, typeof value === 'number' ? value : shown(value, SETTLEMENTS.problemLength)]
  })
  return values ? fileProblem(code, Object.fromEntries(texts)) : { code }
}

const shown = (text: string, most: number): string => text.toWellFormed().replaceAll('\0', '').slice(0, most)

const isSameMoney = (a: Money | undefined, b: Money | undefined): boolean =>
  a?.minor === b?.minor && a?.currency === b?.currency

const isSame = (a: SettledLine, b: SettledLine): boolean =>
  a.kind === b.kind &&
  a.time.getTime() === b.time.getTime() &&
  isSameMoney(a.gross, b.gross) &&
  isSameMoney(a.fee, b.fee) &&
  isSameMoney(a.net, b.net)
