import type { ComponentChildren } from 'preact'
import { LISTED_BY, type Overview } from '../../../insights/overview.ts'
import { findProfile } from '../../../merchants/app.ts'
import { moneyText } from '../../kit/format/money.tsx'
import { troubleText } from '../../kit/format/names.ts'
import { numberText, percentText } from '../../kit/format/numbers.ts'
import { shortText } from '../../kit/format/short-text.ts'
import { Card } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import type { settlementAttention } from '../settlements/elsewhere.tsx'
import { CountChart, MoneyChart } from './chart.tsx'
import { listOf, rangeFilter } from './range.ts'
import { CurrencyChoice, Reasons, Shares } from './shares.tsx'

interface FiguresProps {
  readonly figures: Overview
}

export function Figures({ figures }: FiguresProps) {
  const { texts, call } = useRequest()
  const { overview } = texts
  const codes = figures.currencies.map((sum) => sum.currency)
  const currency = codes.find((code) => code === call.query.currency) ?? codes[0]
  return (
    <>
      <Tiles figures={figures} />
      <MoneyCard figures={figures} />
      {currency !== undefined && (
        <>
          <Card title={overview.moneySeries} action={<CurrencyChoice currencies={codes} chosen={currency} />}>
            <MoneyChart figures={figures} currency={currency} />
          </Card>
          <Shares figures={figures} currency={currency} />
        </>
      )}
      <Card title={overview.series}>
        <CountChart figures={figures} />
      </Card>
      <div class="columns">
        <Funnel figures={figures} />
        <Reasons figures={figures} />
      </div>
      <Providers figures={figures} />
    </>
  )
}

/** The figures that are counts. */
const COUNTS = [
  ['capturedCount', 'captured'],
  ['declinedCount', 'declined'],
  ['heldCount', 'held'],
  ['refundedCount', 'refunded'],
  ['disputedCount', 'disputed'],
  ['fraudBlockedCount', 'blocked'],
] as const

function Tiles({ figures }: FiguresProps) {
  const { kpi, previousKpi } = figures
  const request = useRequest()
  const days = rangeFilter(figures, figures.timeZone)
  const listed = (name: keyof typeof LISTED_BY) => listOf(request, { q: LISTED_BY[name], ...days })
  const { overview } = request.texts
  const [now, before] = [kpi.approvalRate, previousKpi.approvalRate]
  const points = now === null || before === null ? undefined : Math.round((now - before) * 1000) / 10
  return (
    <dl class="tiles">
      <Tile label={overview.approval}>
        <a href={listed('approvedCount')}>
          <b>{percentText(request, now)}</b>
        </a>
        {points !== undefined && (
          <Delta change={points} text={overview.points({ change: numberText(request, Math.abs(points)) })} />
        )}
      </Tile>
      {COUNTS.map(([name, label]) => {
        const change = (kpi[name] - previousKpi[name]) / previousKpi[name]
        return (
          <Tile label={overview[label]}>
            <a href={listed(name)}>
              <b>{numberText(request, kpi[name])}</b>
            </a>
            {previousKpi[name] > 0 && <Delta change={change} text={percentText(request, Math.abs(change))} />}
          </Tile>
        )
      })}
    </dl>
  )
}

const Tile = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <div class="tile">
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** An arrow for the eye, words for a screen reader. */
function Delta({ change, text }: { readonly change: number; readonly text: string }) {
  const { overview } = useRequest().texts
  const [arrow, words] =
    change === 0
      ? ['=', overview.same]
      : change > 0
        ? ['▲', overview.up({ change: text })]
        : ['▼', overview.down({ change: text })]
  return (
    <small class="muted">
      <span aria-hidden="true">{`${arrow} ${text}`}</span>
      <span class="visually-hidden">{`${words}, ${overview.comparedWith}`}</span>
    </small>
  )
}

/** An amount of a sum: the currency is in the table. */
const Sum = ({ minor, currency }: { readonly minor: bigint; readonly currency: string }) => (
  <span class="money">{moneyText(useRequest().language, minor, currency)}</span>
)

function MoneyCard({ figures: { currencies } }: FiguresProps) {
  const { overview, frame } = useRequest().texts
  return (
    <Card title={overview.money}>
      <p class="muted small">{overview.moneyHint}</p>
      {currencies.length === 0 ? (
        <p class="muted">{frame.none}</p>
      ) : (
        <List
          caption={overview.money}
          isStacked
          items={currencies}
          columns={[
            { label: overview.currency, cell: ({ currency }) => currency },
            { label: overview.volume, cell: (of) => <Sum minor={of.capturedMinor} {...of} />, end: true },
            { label: overview.refunded, cell: (of) => <Sum minor={of.refundedMinor} {...of} />, end: true },
            { label: overview.fees, cell: (of) => <Sum minor={of.feeMinor} {...of} />, end: true },
            { label: overview.disputed, cell: (of) => <Sum minor={of.disputedMinor} {...of} />, end: true },
            { label: overview.net, cell: (of) => <Sum minor={of.netMinor} {...of} />, end: true },
          ]}
        />
      )}
    </Card>
  )
}

function Funnel({ figures: { funnel } }: FiguresProps) {
  const request = useRequest()
  const { overview } = request.texts
  return (
    <Card title={overview.funnel}>
      <p class="muted small">{overview.funnelHint}</p>
      <ol class="funnel">
        {(['created', 'opened', 'method', 'submitted', 'paid'] as const).map((step) => (
          <li>
            <span>{overview[step]}</span>
            <b>{numberText(request, funnel[step])}</b>
            <meter
              min={0}
              max={Math.max(1, funnel.created)}
              value={funnel[step]}
              aria-label={overview[step]}
            />
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Providers({ figures: { providers, latencies } }: FiguresProps) {
  const request = useRequest()
  const { overview } = request.texts
  const { app, base } = request
  if (providers.length === 0) return null
  const items = providers.map((sum) => ({
    ...sum,
    profile: findProfile(app, sum.profileId),
    p95Ms: latencies.find(({ profileId }) => profileId === sum.profileId)?.p95Ms,
  }))
  return (
    <Card title={overview.providers}>
      <List
        caption={overview.providers}
        isStacked
        items={items}
        columns={[
          {
            label: overview.provider,
            cell: ({ profileId, profile }) => (
              <a href={`${base}/providers/${profileId}`}>
                <bdi>{profile?.name ?? String(profileId)}</bdi>
              </a>
            ),
          },
          { label: overview.payments, cell: ({ payments }) => numberText(request, payments), end: true },
          { label: overview.volume, cell: (of) => <Sum minor={of.capturedMinor} {...of} />, end: true },
          {
            label: overview.approvalRate,
            cell: ({ approvalRate }) => percentText(request, approvalRate),
            end: true,
          },
          {
            label: overview.latency,
            cell: ({ p95Ms }) =>
              p95Ms === undefined ? '–' : overview.milliseconds({ count: numberText(request, p95Ms) }),
            end: true,
          },
          { label: overview.fees, cell: (of) => <Sum minor={of.feeMinor} {...of} />, end: true },
          {
            label: overview.health,
            cell: ({ profile }) => (
              <bdi>
                {profile?.trouble ? troubleText(request, profile.trouble.diagnosis) : overview.healthy}
              </bdi>
            ),
          },
        ]}
      />
    </Card>
  )
}

interface AttentionProps {
  readonly disputed: number
  readonly held: number
  readonly refundsToApprove: number
  readonly failingEndpoints: number
  readonly exhaustedWebhooks: number
  readonly exceptions: Awaited<ReturnType<typeof settlementAttention>>
}

const MAX_SHOWN = 160

/** What a person should look at, each with the page where it is solved. */
export function NeedsAttention(attention: AttentionProps) {
  const { disputed, held, refundsToApprove, failingEndpoints, exhaustedWebhooks, exceptions } = attention
  const request = useRequest()
  const { overview } = request.texts
  const counts = [
    { count: disputed, page: 'disputes', text: overview.openDisputes },
    { count: held, page: 'reviews', text: overview.heldPayments },
    { count: refundsToApprove, page: 'approvals', text: overview.refundsToApprove },
    { count: failingEndpoints, page: 'developers/webhooks', text: overview.failingEndpoints },
    { count: exhaustedWebhooks, page: 'developers/webhooks', text: overview.exhausted },
    ...exceptions,
  ]
  const items = [
    ...counts.flatMap(({ count, page, text }) => (count > 0 ? [{ page, text: text({ count }) }] : [])),
    ...request.app.profiles.flatMap(({ profileId, name, trouble, isActive }) => {
      if (!trouble || !isActive) return []
      const text = overview.trouble({ profile: name, problem: troubleText(request, trouble.diagnosis) })
      return [{ page: `providers/${profileId}`, text }]
    }),
  ]
  return (
    <Card title={overview.attention}>
      {items.length === 0 ? (
        <p class="muted">{overview.nothing}</p>
      ) : (
        <ul class="attention">
          {items.map(({ page, text }) => (
            <li>
              <a href={`${request.base}/${page}`}>
                <bdi>{shortText(text, MAX_SHOWN)}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
