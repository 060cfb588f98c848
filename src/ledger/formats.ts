import { currencyDigits } from '../base/currencies.ts'
import { decimalText } from '../base/money.ts'
import { csvLine } from '../http/content/csv.ts'
import { type App, findProfile } from '../merchants/app.ts'
import { beancountName, byAccount, hledgerName } from './accounts.ts'
import type { AccountSum, JournalPosting } from './read-store.ts'

/** How a journal is written. Nothing in it depends on when it is read. */
interface JournalFormat {
  readonly contentType: string
  readonly extension: string
  /** What comes before the first entry. */
  head(app: App, accounts: readonly AccountSum[]): string
  /** An entry: its postings in their order, at least one. */
  entry(postings: readonly [JournalPosting, ...JournalPosting[]]): string
}

/** Letters of other scripts stay; what could end a line or a comment does not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a line
const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim()

/** In the order of their first members. */
export function groupedBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

const sorted = (accounts: readonly AccountSum[]): AccountSum[] => accounts.toSorted(byAccount)

const profileName = (app: App, { profileId }: AccountSum): string | undefined =>
  profileId === null ? undefined : plain(findProfile(app, profileId)?.name ?? '')

/** What happened: `capture`, or the kind of the line. */
const titleOf = ({ kind, lineKind }: JournalPosting): string =>
  lineKind === null ? kind : kind === 'line' ? `${lineKind} line` : `${kind} (${lineKind})`

/** The facts that lead from an entry back to what it is about. */
const factsOf = ({ paymentId, lineId, payoutId, lateFor }: JournalPosting): [string, number | string][] =>
  Object.entries({ payment: paymentId, line: lineId, payout: payoutId, 'late-for': lateFor }).flatMap(
    ([name, value]): [string, number | string][] => (value === null ? [] : [[name, value]]),
  )

const amountOf = ({ amountMinor, currency }: JournalPosting): string =>
  `${decimalText(amountMinor, currency)} ${currency}`

/** A comma would end the tag, and what follows could be another one, such as the type of the account. */
const tagText = (text: string): string => text.replaceAll(',', ';')

const hledger: JournalFormat = {
  contentType: 'text/plain; charset=utf-8',
  extension: 'journal',
  head(app, accounts) {
    const currencies = [...new Set(accounts.map(({ currency }) => currency))].sort()
    const commodities = currencies.map((one) => `commodity 1000.${'0'.repeat(currencyDigits(one))} ${one}\n`)
    const declared = new Map(
      sorted(accounts).map((account) => {
        const profile = profileName(app, account)
        return [hledgerName(account), profile === undefined ? '' : `  ; profile: ${tagText(profile)}`]
      }),
    )
    const lines = [...declared].map(([name, comment]) => `account ${name}${comment}\n`)
    return `decimal-mark .\n${commodities.join('')}${lines.join('')}`
  },
  entry(postings) {
    const [first] = postings
    const facts = factsOf(first).map(([name, value]) => `${name}:${value}`)
    const comment = facts.length === 0 ? '' : `  ; ${facts.join(', ')}`
    const lines = postings.map((posting) => `    ${hledgerName(posting)}  ${amountOf(posting)}\n`)
    return `\n${first.bookingDay} (${first.entryId}) ${titleOf(first)}${comment}\n${lines.join('')}`
  },
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const beancount: JournalFormat = {
  contentType: 'text/plain; charset=utf-8',
  extension: 'beancount',
  head(app, accounts) {
    const opened = groupedBy(sorted(accounts), beancountName)
    return [...opened]
      .map(([name, own]) => {
        const [first = ''] = own.map(({ firstDay }) => firstDay).sort()
        const profile = own[0] && profileName(app, own[0])
        const about = profile === undefined ? '' : `  profile: ${quoted(profile)}\n`
        return `${first} open ${name} ${own.map(({ currency }) => currency).join(',')}\n${about}`
      })
      .join('')
  },
  entry(postings) {
    const [first] = postings
    const facts: [string, number | string][] = [['entry', first.entryId], ...factsOf(first)]
    const lines = [
      `\n${first.bookingDay} * ${quoted(titleOf(first))}`,
      ...facts.map(([name, value]) => `  ${name}: ${typeof value === 'number' ? value : quoted(value)}`),
      ...postings.map((posting) => `  ${beancountName(posting)}  ${amountOf(posting)}`),
    ]
    return `${lines.join('\n')}\n`
  },
}

/** With the mark by which spreadsheets recognise UTF-8. */
export const csvHead = (columns: readonly string[]): string => `\ufeff${columns.join(',')}\r\n`

const csv: JournalFormat = {
  contentType: 'text/csv; charset=utf-8',
  extension: 'csv',
  head: () =>
    csvHead([
      ...['entryId', 'bookingDay', 'time', 'kind', 'lineKind', 'paymentId', 'lineId', 'payoutId', 'lateFor'],
      ...['account', 'paymentProfileId', 'name', 'amount', 'currency'],
    ]),
  entry: (postings) =>
    postings
      .map((posting) =>
        csvLine([
          ...[posting.entryId, posting.bookingDay, posting.time.toISOString(), posting.kind],
          ...[posting.lineKind, posting.paymentId, posting.lineId, posting.payoutId, posting.lateFor],
          ...[posting.account, posting.profileId, hledgerName(posting)],
          ...[decimalText(posting.amountMinor, posting.currency), posting.currency],
        ]),
      )
      .join(''),
}

export const FORMATS = { csv, hledger, beancount } as const
export type FormatName = keyof typeof FORMATS
