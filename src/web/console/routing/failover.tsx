import { FAILOVER_CAUSES } from '../../../merchants/routing-config.ts'
import { configOf } from '../../../routing/config.ts'
import { Button } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { CheckGroup } from '../parts/choices.tsx'
import { Form } from '../parts/forms.tsx'
import { edit, seenOf } from './change.ts'

/** The causes after which another provider is tried, each of which can be switched off. */
export function FailoverCard({ visit }: { readonly visit: AppVisit }) {
  const { app, base, texts } = visit
  const { routing } = texts
  const { noFailoverAfter = [] } = configOf(app)
  const mayChange = visit.can('RoutingWrite')
  return (
    <Card title={routing.failover}>
      <p class="small">{routing.failoverBody}</p>
      <Form visit={visit} action={`${base}/routing/failover`} hidden={{ seen: seenOf(visit) }}>
        <fieldset class="stack" disabled={!mayChange}>
          <CheckGroup
            legend={routing.failoverAfter}
            name="cause"
            choices={FAILOVER_CAUSES.map((cause) => ({
              value: cause,
              label: routing.causes[cause],
              isChecked: !noFailoverAfter.includes(cause),
            }))}
          />
          <p class="muted small">{routing.failoverNever}</p>
          {mayChange && (
            <div class="buttons">
              <Button kind="quiet">{routing.saveFailover}</Button>
            </div>
          )}
        </fieldset>
      </Form>
    </Card>
  )
}

/** Switches off the causes that are not ticked. */
export function changeFailover(visit: AppVisit): Promise<void> {
  const ticked = visit.call.fieldsOf('cause')
  const noFailoverAfter = FAILOVER_CAUSES.filter((cause) => !ticked.includes(cause))
  return edit(visit, (config) => ({ ...config, noFailoverAfter }))
}
