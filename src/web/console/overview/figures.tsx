import type { Kpi, Overview } from '../../../insights/overview.ts'
import { troubleText } from '../../kit/format/names.ts'
import { Card } from '../../kit/html/layout.tsx'
import { moneyText } from '../../kit/format/money.tsx'
import { numberText, percentText } from '../../kit/format/numbers.ts'
import { Table } from '../../kit/list.tsx'
import { reasonText } from '../payment/words.ts'
import { SeriesChart } from './chart.tsx'
import { useRequest } from '../../kit/screen.tsx'

interface FiguresProps {
  readonly figures: Overview
}

export function Figures({ figures }: FiguresProps) {
  const request = useRequest()
  const { overview } = request.texts
  return (
    <>
      <Tiles figures={figures} />
      <Money figures={figures} />
      <Card title={overview.series}>
        <SeriesChart series={figures.series} />
      </Card>
      <div class="columns">
        <Funnel figures={figures} />
        <Reasons figures={figures} />
      </div>
      <Providers figures={figures} />
    </>
  )
}

type Count = 'capturedCount' | 'declinedCount' | 'heldCount' | 'refundedCount' | 'fraudBlockedCount'

function Tiles({ figures: { kpi, previousKpi } }: FiguresProps) {
  const request = useRequest()
  const { overview } = request.texts
  const counts: readonly [Count, string, string][] = [
    ['capturedCount', overview.captured, 'state:captured'],
    ['declinedCount', overview.declined, 'state:failed'],
    ['heldCount', overview.held, ''],
    ['refundedCount', overview.refunded, 'state:refunded'],
    ['fraudBlockedCount', overview.blocked, ''],
  ]
  return (
    <dl class="tiles">
      <div class="tile">
        <dt>{overview.approval}</dt>
        <dd>
          <b>{percentText(request, kpi.approvalRate)}</b>
          <Points now={kpi} before={previousKpi} />
        </dd>
      </div>
      {counts.map(([name, label, query]) => (
        <div class="tile">
          <dt>{label}</dt>
          <dd>
            {query ? (
              <a href={`${request.base}/payments?q=${encodeURIComponent(query)}`}>
                <b>{numberText(request, kpi[name])}</b>
              </a>
            ) : (
              <b>{numberText(request, kpi[name])}</b>
            )}
            <Change now={kpi[name]} before={previousKpi[name]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Points({ now, before }: { now: Kpi; before: Kpi }) {
  const request = useRequest()
  const { overview } = request.texts
  if (now.approvalRate === null || before.approvalRate === null) return null
  const points = Math.round((now.approvalRate - before.approvalRate) * 1000) / 10
  return <Delta change={points} text={overview.points(String(Math.abs(points)))} />
}

function Change({ now, before }: { now: number; before: number }) {
  const request = useRequest()
  if (before === 0) return null
  const change = (now - before) / before
  return <Delta change={change} text={percentText(request, Math.abs(change))} />
}

/** An arrow for the eye, words for a screen reader. */
function Delta({ change, text }: { change: number; text: string }) {
  const request = useRequest()
  const { overview } = request.texts
  const words = change === 0 ? overview.same : change > 0 ? overview.up(text) : overview.down(text)
  return (
    <small class="muted">
      <span aria-hidden="true">{`${change === 0 ? '=' : change > 0 ? '▲' : '▼'} ${text}`}</span>
      <span class="visually-hidden">{`${words}, ${overview.comparedWith}`}</span>
    </small>
  )
}

function Money({ figures: { currencies } }: FiguresProps) {
  const request = useRequest()
  const { overview, frame } = request.texts
  return (
    <Card title={overview.money}>
      <p class="muted small">{overview.moneyHint}</p>
      {currencies.length === 0 ? (
        <p class="muted">{frame.none}</p>
      ) : (
        <Table
          caption={overview.money}
          columns={[
            { label: overview.currency },
            { label: overview.volume, end: true },
            { label: overview.refunded, end: true },
            { label: overview.fees, end: true },
          ]}
          rows={currencies.map(({ currency, capturedMinor, refundedMinor, feeMinor }) => ({
            cells: [
              currency,
              ...[capturedMinor, refundedMinor, feeMinor].map((minor) => (
                <span class="money">{moneyText(request.language, minor, currency)}</span>
              )),
            ],
          }))}
        />
      )}
    </Card>
  )
}

function Funnel({ figures: { funnel } }: FiguresProps) {
  const request = useRequest()
  const { overview } = request.texts
  const names = ['created', 'opened', 'method', 'submitted', 'paid'] as const
  const steps = names.map((name) => ({ label: overview[name], count: funnel[name] }))
  return (
    <Card title={overview.funnel}>
      <p class="muted small">{overview.funnelHint}</p>
      <ol class="funnel">
        {steps.map(({ label, count }) => (
          <li>
            <span>{label}</span>
            <b>{numberText(request, count)}</b>
            <meter min={0} max={Math.max(1, funnel.created)} value={count} aria-label={label} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Reasons({ figures: { reasons } }: FiguresProps) {
  const request = useRequest()
  const { overview } = request.texts
  return (
    <Card title={overview.reasons}>
      {reasons.length === 0 ? (
        <p class="muted">{overview.noReasons}</p>
      ) : (
        <ul class="reasons">
          {reasons.slice(0, 10).map(({ reason, count }) => (
            <li>
              <bdi>{reasonText(request.texts, reason)}</bdi> <b>{numberText(request, count)}</b>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Providers({ figures: { providers, latencies } }: FiguresProps) {
  const request = useRequest()
  const { overview } = request.texts
  const { app, language, base } = request
  if (providers.length === 0) return null
  const profileOf = (profileId: number) => app.profiles.find((profile) => profile.profileId === profileId)
  const latencyOf = (profileId: number) => latencies.find((one) => one.profileId === profileId)?.p95Ms
  return (
    <Card title={overview.providers}>
      <Table
        caption={overview.providers}
        columns={[
          { label: overview.provider },
          { label: overview.payments, end: true },
          { label: overview.volume, end: true },
          { label: overview.approvalRate, end: true },
          { label: overview.latency, end: true },
          { label: overview.fees, end: true },
          { label: overview.health },
        ]}
        rows={providers.map((sum) => {
          const profile = profileOf(sum.profileId)
          const p95 = latencyOf(sum.profileId)
          return {
            cells: [
              <a href={`${base}/providers/${sum.profileId}`}>
                <bdi>{profile?.name ?? String(sum.profileId)}</bdi>
              </a>,
              numberText(request, sum.payments),
              <span class="money">{moneyText(language, sum.capturedMinor, sum.currency)}</span>,
              percentText(request, sum.approvalRate),
              p95 === undefined ? '–' : overview.milliseconds(numberText(request, p95)),
              <span class="money">{moneyText(language, sum.feeMinor, sum.currency)}</span>,
              <bdi>
                {profile?.trouble ? troubleText(request, profile.trouble.diagnosis) : overview.healthy}
              </bdi>,
            ],
          }
        })}
      />
    </Card>
  )
}
