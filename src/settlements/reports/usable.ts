import { isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import { inTurns } from '../../base/turns.ts'
import { type BadRow, LINE_KINDS, type SettledLine, type SettledPage } from '../../providers/settlement.ts'
import { SETTLEMENTS } from '../limits.ts'

/** What a bigint column holds with room for sums. */
const MOST_MINOR = 10n ** 17n
/** Text that PostgreSQL cannot store. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
const isId = (text: string): boolean => text !== '' && text.length <= SETTLEMENTS.idLength && isStorable(text)
const isMoney = (money: Money | undefined): boolean =>
  money === undefined || (isCurrency(money.currency) && money.minor < MOST_MINOR && money.minor > -MOST_MINOR)

/** One English sentence, or undefined when the line can be stored. */
function problemOf(line: SettledLine): string | undefined {
  const texts = [line.id, ...line.ids, line.reference ?? '-', line.rate ?? '-', line.payout ?? '-']
  if (!texts.every(isId)) return `An id is empty, or longer than ${SETTLEMENTS.idLength} characters.`
  if (!LINE_KINDS.includes(line.kind)) return 'The kind is not known.'
  if (![line.gross, line.fee, line.net].every(isMoney)) return 'An amount or currency is not possible.'
  if (Number.isNaN(line.time.getTime())) return 'The time is not valid.'
  return isStorable(line.raw) ? undefined : 'The row has characters that cannot be stored.'
}

export interface UsableLines {
  /** Each id once. */
  readonly lines: readonly SettledLine[]
  /** The same ids again, with other content. */
  readonly again: readonly SettledLine[]
  readonly bad: readonly BadRow[]
}

/** The lines of a page that can be stored. Adapters check formats; this checks what remains. */
export async function usableLines({ lines, bad }: SettledPage): Promise<UsableLines> {
  const first = new Map<string, SettledLine>()
  const again: SettledLine[] = []
  const refused: BadRow[] = []
  for await (const line of inTurns(lines)) {
    const problem = problemOf(line)
    const known = first.get(line.id)
    if (problem !== undefined) refused.push({ row: line.id, problem })
    else if (!known) first.set(line.id, { ...line, ids: unique(line.ids) })
    else if (!isSame(line, known)) again.push(line)
  }
  const shownRows = [...bad, ...refused].map(({ row, problem }) => ({
    row: shown(row, SETTLEMENTS.idLength),
    problem: shown(problem, SETTLEMENTS.problemLength),
  }))
  return { lines: [...first.values()], again, bad: shownRows }
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)].slice(0, SETTLEMENTS.idsPerLine)

const shown = (text: string, most: number): string => text.toWellFormed().replaceAll('\0', '').slice(0, most)

const isSameMoney = (a: Money | undefined, b: Money | undefined): boolean =>
  a?.minor === b?.minor && a?.currency === b?.currency

const isSame = (a: SettledLine, b: SettledLine): boolean =>
  a.kind === b.kind &&
  a.time.getTime() === b.time.getTime() &&
  isSameMoney(a.gross, b.gross) &&
  isSameMoney(a.fee, b.fee) &&
  isSameMoney(a.net, b.net)
