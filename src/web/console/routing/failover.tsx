import { FAILOVER_CAUSES } from '../../../merchants/routing-config.ts'
import { configOf } from '../../../routing/config.ts'
import { Button } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { CheckGroup } from '../../kit/html/choices.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { edit, seenOf } from './change.ts'
import { useRequest } from '../../kit/screen.tsx'

/** The causes after which another provider is tried, each of which can be switched off. */
export function FailoverCard() {
  const request = useRequest()
  const { app, base, texts } = request
  const { routing } = texts
  const { noFailoverAfter = [] } = configOf(app)
  const mayChange = request.can('RoutingWrite')
  return (
    <Card title={routing.failover}>
      <p class="small">{routing.failoverBody}</p>
      <Form action={`${base}/routing/failover`} hidden={{ seen: seenOf(request) }}>
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
export function changeFailover(request: AppRequest): Promise<void> {
  const ticked = request.call.fieldsOf('cause')
  const noFailoverAfter = FAILOVER_CAUSES.filter((cause) => !ticked.includes(cause))
  return edit(request, (config) => ({ ...config, noFailoverAfter }))
}
