import type { simulatePolicy } from '../../../fraud/simulation/simulate.ts'
import { moneyText } from '../../kit/format/money.tsx'
import { numberText } from '../../kit/format/numbers.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Card } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { EDITOR_ID } from './editor.tsx'
import { checkName, checkText, sourceText } from './words.ts'

export type Simulation = Awaited<ReturnType<typeof simulatePolicy>>

interface SimulationProps {
  readonly simulation: Simulation
}

export function SimulationResult({ simulation }: SimulationProps) {
  const request = useRequest()
  const { fraud } = request.texts
  const { stopped, payments, isComplete, threeDSecure } = simulation
  const asked = Object.values(threeDSecure).reduce((sum, count) => sum + count, 0)
  return (
    <Card title={fraud.simulation} id="simulation" class="simulation">
      <div role="status" class="stack">
        <p class="figure">{headline(request, simulation)}</p>
        {stopped.count > 0 && (
          <p>{fraud.later({ refunded: stopped.laterRefunded, disputed: stopped.laterDisputed })}</p>
        )}
        {asked > 0 && <p>{fraud.asked({ count: asked })}</p>}
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
          <Figures simulation={simulation} />
          <Examples simulation={simulation} />
        </>
      )}
    </Card>
  )
}

function headline(request: AppRequest, { payments, stopped }: Simulation): string {
  const { fraud } = request.texts
  if (payments === 0) return fraud.noPayments
  const total = numberText(request, payments)
  return stopped.count === 0
    ? fraud.stoppedNone({ total })
    : fraud.stopped({ count: numberText(request, stopped.count), total })
}

/** What was stopped, by decision, currency and rule. */
function Figures({ simulation: { stopped, byRule } }: SimulationProps) {
  const request = useRequest()
  const { fraud } = request.texts
  return (
    <div class="columns">
      <List
        caption={fraud.byDecision}
        items={(['Hold', 'Reject', 'Block'] as const).filter((name) => stopped.byDecision[name] > 0)}
        columns={[
          { label: fraud.decision, cell: (name) => fraud.decisions[name] },
          { label: fraud.payments, end: true, cell: (name) => stopped.byDecision[name] },
        ]}
      />
      <List
        caption={fraud.byCurrency}
        items={stopped.byCurrency}
        columns={[
          { label: fraud.ruleParts.currency, cell: ({ currency }) => currency },
          { label: fraud.payments, end: true, cell: ({ count }) => count },
          {
            label: fraud.amount,
            end: true,
            cell: ({ amountMinor, currency }) => (
              <bdi class="money">{moneyText(request.language, amountMinor, currency)}</bdi>
            ),
          },
        ]}
      />
      <List
        caption={fraud.byRule}
        items={byRule.slice(0, 60)}
        columns={[
          {
            label: fraud.rules,
            cell: ({ rule, name }) => (
              <span class="wrapped">{`${sourceText(request, rule)}: ${checkName(request, name)}`}</span>
            ),
          },
          { label: fraud.payments, end: true, cell: ({ violated }) => violated },
        ]}
      />
    </div>
  )
}

function Examples({ simulation }: SimulationProps) {
  const request = useRequest()
  const { fraud } = request.texts
  const pathOf = ({ paymentId }: { readonly paymentId: number }) => `${request.base}/payments/${paymentId}`
  return (
    <>
      <h3>{fraud.examples}</h3>
      <List
        caption={fraud.examples}
        items={simulation.examples}
        href={pathOf}
        columns={[
          { label: fraud.payment, cell: (example) => <a href={pathOf(example)}>{example.paymentId}</a> },
          { label: fraud.decision, cell: ({ decision }) => fraud.decisions[decision] },
          {
            label: fraud.why,
            cell: ({ checks }) => (
              <span class="explained">{checks.map((check) => checkText(request, check)).join(' ')}</span>
            ),
          },
        ]}
      />
    </>
  )
}
