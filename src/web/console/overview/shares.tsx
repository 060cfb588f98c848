import { LISTED_BY, type Overview } from '../../../insights/overview.ts'
import type { MoneyShare } from '../../../insights/shares.ts'
import type { PaymentFilter } from '../../../payments/search/filter.ts'
import { type BarRow, Bars } from '../../kit/chart/bars.tsx'
import { countValue, moneyValue } from '../../kit/chart/texts.ts'
import { countryName, methodKindName, profileName } from '../../kit/format/names.ts'
import { percentText } from '../../kit/format/numbers.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Card } from '../../kit/html/layout.tsx'
import { withQuery } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { reasonText } from '../payment/words.ts'
import { listOf, rangeFilter } from './range.ts'

interface ChoiceProps {
  readonly currencies: readonly string[]
  readonly chosen: string
}

/** Links to the same page with the charts of another currency. */
export function CurrencyChoice({ currencies, chosen }: ChoiceProps) {
  const { call, texts } = useRequest()
  if (currencies.length < 2) return <span class="muted">{chosen}</span>
  return (
    <nav class="environments" aria-label={texts.overview.currencies}>
      {currencies.slice(0, CURRENCIES_SHOWN).map((currency) => (
        <a href={withQuery(call.path, { currency })} aria-current={currency === chosen ? 'true' : undefined}>
          {currency}
        </a>
      ))}
    </nav>
  )
}

const CURRENCIES_SHOWN = 6
/** The rest is one row: a shop may have customers in a hundred countries. */
const ROWS = 8

interface SharesProps {
  readonly figures: Overview
  readonly currency: string
}

/** What a kind of shares is named after, and the list behind one of them. */
interface Kind {
  readonly of: keyof Overview['shares']
  readonly title: string
  readonly head: string
  readonly nameOf: (name: string) => string
  /** Undefined: no filter has exactly these payments. */
  readonly filterOf: (name: string) => PaymentFilter | undefined
}

function kindsOf(request: AppRequest): readonly Kind[] {
  const { overview } = request.texts
  const paid = LISTED_BY.capturedCount
  return [
    {
      ...{ of: 'profiles', title: overview.byProvider, head: overview.provider },
      nameOf: (name) => profileName(request, Number(name)) ?? name,
      filterOf: (profile) => ({ q: paid, profile }),
    },
    {
      ...{ of: 'methods', title: overview.byMethod, head: overview.methodName },
      nameOf: (name) => methodKindName(request, name),
      filterOf: (name) => ({ q: `${paid} method:${name}` }),
    },
    {
      ...{ of: 'countries', title: overview.byCountry, head: overview.country },
      nameOf: (name) => countryName(request, name),
      filterOf: (name) => (/^[A-Z]{2}$/.test(name) ? { q: `${paid} country:${name}` } : undefined),
    },
  ]
}

export function Shares({ figures, currency }: SharesProps) {
  const request = useRequest()
  return (
    <div class="bar-cards">
      {kindsOf(request).map((kind) => (
        <ShareCard kind={kind} figures={figures} currency={currency} />
      ))}
    </div>
  )
}

interface ShareRow extends BarRow {
  readonly share: number
}

function ShareCard({ kind, figures, currency }: SharesProps & { readonly kind: Kind }) {
  const request = useRequest()
  const { overview } = request.texts
  const days = rangeFilter(figures, figures.timeZone)
  const shares = figures.shares[kind.of].filter((share) => share.currency === currency)
  const rowOf = ({ name, capturedMinor, previousMinor, share }: MoneyShare): ShareRow => {
    const filter = name === '' ? undefined : kind.filterOf(name)
    const shown = name === '' ? overview.unknown : kind.nameOf(name)
    return {
      label: <bdi>{shortText(shown, NAME_SHOWN)}</bdi>,
      ...moneyValue(request, capturedMinor, currency),
      href: filter && listOf(request, { ...filter, currency, ...days }),
      before: moneyValue(request, previousMinor, currency),
      share,
    }
  }
  const others = shares.slice(ROWS)
  const rows = shares.slice(0, ROWS).map(rowOf)
  if (others.length > 0)
    rows.push({ ...rowOf(sumOf(others)), label: overview.others({ count: others.length }) })
  return (
    <Card title={kind.title}>
      {rows.length === 0 ? (
        <p class="muted">{overview.nothingCaptured}</p>
      ) : (
        <Bars
          caption={kind.title}
          head={kind.head}
          valueHead={overview.captured}
          rows={rows}
          tone="ok"
          before={overview.before}
          more={[{ label: overview.share, end: true, cell: ({ share }) => percentText(request, share) }]}
        />
      )}
    </Card>
  )
}

/** One share without a name. */
const sumOf = (shares: readonly MoneyShare[]): MoneyShare =>
  shares.reduce((all, each) => ({
    ...{ name: '', currency: each.currency, captured: all.captured + each.captured },
    capturedMinor: all.capturedMinor + each.capturedMinor,
    previousMinor: all.previousMinor + each.previousMinor,
    share: all.share + each.share,
  }))

/** Why payments were declined. */
export function Reasons({ figures }: Pick<SharesProps, 'figures'>) {
  const request = useRequest()
  const { overview } = request.texts
  const days = rangeFilter(figures, figures.timeZone)
  const rows = figures.reasons.slice(0, 10).map(({ reason, count, previous }) => ({
    label: <bdi>{reasonText(request.texts, reason)}</bdi>,
    ...countValue(request, count),
    href: listOf(request, { q: `${LISTED_BY.declinedCount} reason:${reason}`, ...days }),
    before: countValue(request, previous),
  }))
  return (
    <Card title={overview.reasons}>
      {rows.length === 0 ? (
        <p class="muted">{overview.noReasons}</p>
      ) : (
        <Bars
          caption={overview.reasons}
          head={overview.reason}
          valueHead={overview.declined}
          rows={rows}
          tone="bad"
          before={overview.before}
        />
      )}
    </Card>
  )
}
