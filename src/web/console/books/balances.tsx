import { type AccountMonth, type BooksMonth, isOf } from '../../../ledger/month.ts'
import { ColumnChart } from '../../kit/chart/columns.tsx'
import { columnTexts, moneyValue } from '../../kit/chart/texts.ts'
import { Money, shortMoneyText } from '../../kit/format/money.tsx'
import { profileName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Card } from '../../kit/html/layout.tsx'
import { List, withQuery } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'

interface BalancesProps {
  readonly books: BooksMonth
  readonly monthName: string
}

/** As the address names an account: `clearing.3.EUR`, or `sales..EUR`. */
const keyOf = ({ account, profileId, currency }: AccountMonth): string =>
  `${account}.${profileId ?? ''}.${currency}`

/** Undefined for an account of the whole app. */
const profileOf = (request: AppRequest, { profileId }: AccountMonth): string | undefined =>
  profileId === null ? undefined : shortText(profileName(request, profileId) ?? String(profileId), NAME_SHOWN)

export function Balances({ books, monthName }: BalancesProps) {
  const { texts, call } = useRequest()
  const { books: words } = texts
  const chosen = books.accounts.find((one) => keyOf(one) === call.query.account) ?? books.accounts[0]
  return (
    <>
      <Card title={words.balances({ month: monthName })}>
        <p class="muted small">{words.balancesHint}</p>
        <Accounts books={books} caption={words.balances({ month: monthName })} />
      </Card>
      {chosen && <Days books={books} account={chosen} />}
    </>
  )
}

function Accounts({ books, caption }: { readonly books: BooksMonth; readonly caption: string }) {
  const request = useRequest()
  const { texts, call } = request
  const { books: words } = texts
  const href = (account: AccountMonth) => `${withQuery(call.path, { account: keyOf(account) })}#days`
  const amount = (minor: bigint, currency: string) => <Money minor={minor} currency={currency} />
  return (
    <List
      isStacked
      caption={caption}
      items={books.accounts}
      href={href}
      columns={[
        { label: words.account, cell: (one) => <a href={href(one)}>{words.accounts[one.account]}</a> },
        {
          label: words.profile,
          cell: (one) => <bdi>{profileOf(request, one) ?? words.wholeApp}</bdi>,
        },
        { label: texts.overview.currency, cell: ({ currency }) => currency },
        { label: words.opening, end: true, cell: (one) => amount(one.openingMinor, one.currency) },
        {
          label: words.change,
          end: true,
          cell: (one) => amount(one.closingMinor - one.openingMinor, one.currency),
        },
        { label: words.closing, end: true, cell: (one) => amount(one.closingMinor, one.currency) },
      ]}
    />
  )
}

interface DaysProps {
  readonly books: BooksMonth
  readonly account: AccountMonth
}

/** The balance at the end of each day, and what the day booked. */
function Days({ books, account }: DaysProps) {
  const request = useRequest()
  const { books: words } = request.texts
  const { currency } = account
  const profile = profileOf(request, account)
  const name = [words.accounts[account.account], profile, currency].filter(Boolean).join(', ')
  const textsOf = columnTexts(request, 'day', 'UTC')
  return (
    <Card title={words.days({ account: name })} id="days">
      <ColumnChart
        caption={words.days({ account: name })}
        head={words.day}
        axisText={(value) => shortMoneyText(request.language, value, currency)}
        series={[
          { label: words.balance, tone: 'main' },
          { label: words.moved, tone: 'quiet' },
        ]}
        columns={daysOf(books, account).map(({ day, balanceMinor, movedMinor }) => ({
          ...textsOf(new Date(`${day}T00:00:00Z`)),
          values: [moneyValue(request, balanceMinor, currency), moneyValue(request, movedMinor, currency)],
        }))}
      />
    </Card>
  )
}

/** Every day of the month so far, those without an entry too. */
function daysOf({ from, until, days }: BooksMonth, account: AccountMonth) {
  const moved = new Map(days.filter((day) => isOf(day, account)).map((day) => [day.day, day.amountMinor]))
  const last = Number(until.slice(-2))
  let balanceMinor = account.openingMinor
  return Array.from({ length: last }, (_, place) => {
    const day = `${from.slice(0, 8)}${String(place + 1).padStart(2, '0')}`
    const movedMinor = moved.get(day) ?? 0n
    balanceMinor += movedMinor
    return { day, balanceMinor, movedMinor }
  })
}
