import type { simulatePolicy } from '../../../fraud/simulation/simulate.ts'
import { Card } from '../../kit/html/layout.tsx'
import { moneyText } from '../../kit/format/money.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { Table } from '../parts/table.tsx'
import { EDITOR_ID } from './editor.tsx'
import { checkText, sourceText } from './words.ts'

type Simulation = Awaited<ReturnType<typeof simulatePolicy>>

interface SimulationProps {
  readonly visit: AppVisit
  readonly simulation: Simulation
}

export function SimulationResult({ visit, simulation }: SimulationProps) {
  const { fraud } = visit.texts
  const { stopped, payments, isComplete } = simulation
  return (
    <Card title={fraud.simulation} id="simulation" class="simulation">
      <div role="status" class="stack">
        <p class="figure">{headline(visit, simulation)}</p>
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
            <ByDecision visit={visit} simulation={simulation} />
            <ByCurrency visit={visit} simulation={simulation} />
            <ByRule visit={visit} simulation={simulation} />
          </div>
          <Examples visit={visit} simulation={simulation} />
        </>
      )}
    </Card>
  )
}

function headline({ texts: { fraud }, language }: AppVisit, { payments, stopped }: Simulation): string {
  const { format } = new Intl.NumberFormat(language.intl)
  if (payments === 0) return fraud.noPayments
  return stopped.count === 0
    ? fraud.stoppedNone(format(payments))
    : fraud.stopped(format(stopped.count), format(payments))
}

function ByDecision({ visit, simulation }: SimulationProps) {
  const { fraud } = visit.texts
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

function ByCurrency({ visit, simulation }: SimulationProps) {
  const { fraud } = visit.texts
  return (
    <Table
      caption={fraud.byCurrency}
      columns={[
        { label: fraud.currency },
        { label: fraud.payments, end: true },
        { label: fraud.amount, end: true },
      ]}
      rows={simulation.stopped.byCurrency.map(({ currency, count, amountMinor }) => ({
        cells: [currency, count, <bdi class="money">{moneyText(visit.language, amountMinor, currency)}</bdi>],
      }))}
    />
  )
}

function ByRule({ visit, simulation }: SimulationProps) {
  const { fraud } = visit.texts
  const names: Readonly<Record<string, string>> = { ...fraud.measures, ...fraud.checkNames }
  return (
    <Table
      caption={fraud.byRule}
      columns={[{ label: fraud.rules }, { label: fraud.payments, end: true }]}
      rows={simulation.byRule.slice(0, 60).map(({ rule, name, violated }) => ({
        cells: [
          <span class="wrapped">{`${sourceText(visit, rule)}: ${names[name] ?? name}`}</span>,
          violated,
        ],
      }))}
    />
  )
}

function Examples({ visit, simulation }: SimulationProps) {
  const { base, texts } = visit
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
            <span class="explained">{checks.map((check) => checkText(visit, check)).join(' ')}</span>,
          ],
        }))}
      />
    </>
  )
}
