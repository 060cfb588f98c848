import type { simulatePolicy } from '../../../fraud/simulation/simulate.ts'
import { Card } from '../../kit/html/layout.tsx'
import { moneyText } from '../../kit/format/money.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Table } from '../../kit/list.tsx'
import { EDITOR_ID } from './editor.tsx'
import { checkText, sourceText } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'

type Simulation = Awaited<ReturnType<typeof simulatePolicy>>

interface SimulationProps {
  readonly simulation: Simulation
}

export function SimulationResult({ simulation }: SimulationProps) {
  const request = useRequest()
  const { fraud } = request.texts
  const { stopped, payments, isComplete } = simulation
  return (
    <Card title={fraud.simulation} id="simulation" class="simulation">
      <div role="status" class="stack">
        <p class="figure">{headline(request, simulation)}</p>
        {stopped.count > 0 && <p>{fraud.later(stopped.laterRefunded, stopped.laterDisputed)}</p>}
        {!isComplete && <p>{fraud.notComplete}</p>}
        <p class="muted small">{fraud.simulationNote}</p>
      </div>
      <div class="buttons">
        <button class="button primary" type="submit" form={EDITOR_ID} name="act" value="save">
          {fraud.save}
        </button>
      </div>
      {payments > 0 && stopped.count > 0 && (
        <>
          <div class="columns">
            <ByDecision simulation={simulation} />
            <ByCurrency simulation={simulation} />
            <ByRule simulation={simulation} />
          </div>
          <Examples simulation={simulation} />
        </>
      )}
    </Card>
  )
}

function headline({ texts: { fraud }, language }: AppRequest, { payments, stopped }: Simulation): string {
  const { format } = new Intl.NumberFormat(language.intl)
  if (payments === 0) return fraud.noPayments
  return stopped.count === 0
    ? fraud.stoppedNone(format(payments))
    : fraud.stopped(format(stopped.count), format(payments))
}

function ByDecision({ simulation }: SimulationProps) {
  const request = useRequest()
  const { fraud } = request.texts
  const { byDecision } = simulation.stopped
  const rows = (['Hold', 'Reject', 'Block'] as const).filter((name) => byDecision[name] > 0)
  return (
    <Table
      caption={fraud.byDecision}
      columns={[{ label: fraud.decision }, { label: fraud.payments, end: true }]}
      rows={rows.map((name) => ({ cells: [fraud.decisions[name], byDecision[name]] }))}
    />
  )
}

function ByCurrency({ simulation }: SimulationProps) {
  const request = useRequest()
  const { fraud } = request.texts
  return (
    <Table
      caption={fraud.byCurrency}
      columns={[
        { label: fraud.currency },
        { label: fraud.payments, end: true },
        { label: fraud.amount, end: true },
      ]}
      rows={simulation.stopped.byCurrency.map(({ currency, count, amountMinor }) => ({
        cells: [
          currency,
          count,
          <bdi class="money">{moneyText(request.language, amountMinor, currency)}</bdi>,
        ],
      }))}
    />
  )
}

function ByRule({ simulation }: SimulationProps) {
  const request = useRequest()
  const { fraud } = request.texts
  const names: Readonly<Record<string, string>> = { ...fraud.measures, ...fraud.checkNames }
  return (
    <Table
      caption={fraud.byRule}
      columns={[{ label: fraud.rules }, { label: fraud.payments, end: true }]}
      rows={simulation.byRule.slice(0, 60).map(({ rule, name, violated }) => ({
        cells: [
          <span class="wrapped">{`${sourceText(request, rule)}: ${names[name] ?? name}`}</span>,
          violated,
        ],
      }))}
    />
  )
}

function Examples({ simulation }: SimulationProps) {
  const request = useRequest()
  const { base, texts } = request
  const { fraud } = texts
  return (
    <>
      <h3>{fraud.examples}</h3>
      <Table
        caption={fraud.examples}
        columns={[{ label: fraud.payment }, { label: fraud.decision }, { label: fraud.why }]}
        rows={simulation.examples.map(({ paymentId, decision, checks }) => ({
          href: `${base}/payments/${paymentId}`,
          cells: [
            <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>,
            fraud.decisions[decision],
            <span class="explained">{checks.map((check) => checkText(request, check)).join(' ')}</span>,
          ],
        }))}
      />
    </>
  )
}
