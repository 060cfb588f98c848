import { countFees, type FeeShare, feeShares } from '../../../ledger/fees.ts'
import type { BooksMonth } from '../../../ledger/month.ts'
import { Bars } from '../../kit/chart/bars.tsx'
import { ColumnChart } from '../../kit/chart/columns.tsx'
import { columnTexts, moneyValue } from '../../kit/chart/texts.ts'
import { moneyText, shortMoneyText } from '../../kit/format/money.tsx'
import { countryName, methodKindName, profileName } from '../../kit/format/names.ts'
import { percentText } from '../../kit/format/numbers.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Card } from '../../kit/html/layout.tsx'
import { withQuery } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { CurrencyChoice } from '../overview/shares.tsx'

/** Months of the chart: a year that ends with the chosen month. */
const MONTHS = 12

type Kind = 'provider' | 'method' | 'country'

/** The fees of a month in three ways, and those of the year that it ends. */
export interface MonthFees extends Record<Kind | 'byMonth', readonly FeeShare[]> {
  readonly months: readonly string[]
  readonly isComplete: boolean
}

/** The months up to this one, the oldest first. */
function monthsUntil(month: string): string[] {
  const [year = 0, place = 1] = month.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, at) =>
    new Date(Date.UTC(year, place - MONTHS + at, 1)).toISOString().slice(0, 7),
  )
}

/** After the ledger is up to date. */
export async function readFees({ ctx, app }: AppRequest, books: BooksMonth): Promise<MonthFees> {
  const { month, from, to } = books
  const months = monthsUntil(month)
  const isComplete = await countFees(ctx, app)
  const [byMonth, provider, method, country] = await Promise.all([
    feeShares(ctx, app, { by: 'month', from: `${months[0]}-01`, to }),
    feeShares(ctx, app, { by: 'provider', from, to }),
    feeShares(ctx, app, { by: 'method', from, to }),
    feeShares(ctx, app, { by: 'country', from, to }),
  ])
  return { months, isComplete, byMonth, provider, method, country }
}

export function FeeCards({ fees }: { readonly fees: MonthFees }) {
  const { texts, call } = useRequest()
  const { books: words } = texts
  const currencies = [...new Set([...fees.provider, ...fees.byMonth].map(({ currency }) => currency))]
  const currency = currencies.find((code) => code === call.query.currency) ?? currencies[0]
  if (currency === undefined)
    return (
      <Card title={words.fees}>
        <p class="muted">{words.noFees}</p>
      </Card>
    )
  return (
    <>
      <Card title={words.byMonth} action={<CurrencyChoice currencies={currencies} chosen={currency} />}>
        <Months fees={fees} currency={currency} />
        <p class="muted small">{words.rateHint}</p>
      </Card>
      <div class="bar-cards">
        {(['provider', 'method', 'country'] as const).map((kind) => (
          <KindCard kind={kind} shares={fees[kind].filter((share) => share.currency === currency)} />
        ))}
      </div>
    </>
  )
}

interface MonthsProps {
  readonly fees: MonthFees
  readonly currency: string
}

/** Each column opens its month. */
function Months({ fees: { byMonth, months }, currency }: MonthsProps) {
  const request = useRequest()
  const { texts, call } = request
  const { books: words } = texts
  const textsOf = columnTexts(request, 'month', 'UTC')
  const known = new Map(
    byMonth.filter((share) => share.currency === currency).map((share) => [share.name, share]),
  )
  return (
    <ColumnChart
      caption={words.byMonth}
      head={words.month}
      axisText={(value) => shortMoneyText(request.language, value, currency)}
      series={[{ label: words.fees, tone: 'warn' }]}
      columns={months.map((month) => {
        const { feeMinor = 0n, rate = null } = known.get(month) ?? {}
        const { label, title } = textsOf(new Date(`${month}-01T00:00:00Z`))
        const value = moneyValue(request, feeMinor, currency, withQuery(call.path, { month }))
        const text = rate === null ? value.text : `${value.text} (${percentText(request, rate, 2)})`
        return { label, title, values: [{ ...value, text }] }
      })}
    />
  )
}

interface KindProps {
  readonly kind: Kind
  readonly shares: readonly FeeShare[]
}

const TITLES = { provider: 'byProvider', method: 'byMethod', country: 'byCountry' } as const
const HEADS = { provider: 'provider', method: 'methodName', country: 'country' } as const
const NAMES: Readonly<Record<Kind, (request: AppRequest, name: string) => string>> = {
  provider: (request, name) => profileName(request, Number(name)) ?? name,
  method: methodKindName,
  country: countryName,
}

function KindCard({ kind, shares }: KindProps) {
  const request = useRequest()
  const { books: words, overview } = request.texts
  const rows = shares.map(({ name, currency, feeMinor, grossMinor, rate }) => ({
    label: <bdi>{name === '' ? words.unknown : shortText(NAMES[kind](request, name), NAME_SHOWN)}</bdi>,
    ...moneyValue(request, feeMinor, currency),
    gross: moneyText(request.language, grossMinor, currency),
    rate,
  }))
  return (
    <Card title={words[TITLES[kind]]}>
      {rows.length === 0 ? (
        <p class="muted">{words.noFees}</p>
      ) : (
        <Bars
          caption={words[TITLES[kind]]}
          head={overview[HEADS[kind]]}
          valueHead={words.fees}
          rows={rows}
          tone="warn"
          more={[
            { label: words.gross, end: true, cell: ({ gross }) => <span class="money">{gross}</span> },
            { label: words.rate, end: true, cell: ({ rate }) => percentText(request, rate, 2) },
          ]}
        />
      )}
    </Card>
  )
}
