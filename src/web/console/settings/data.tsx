import type { ApiError } from '../../../base/errors.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Field } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { checked } from '../../kit/checked.ts'
import { Form } from '../../kit/html/forms.tsx'
import { renderTab, Editable, numberPatch, saved, settingErrors, tabUrl } from './tabs.tsx'
import { useRequest } from '../../kit/screen.tsx'

export const showData = (request: AppRequest): PageAnswer =>
  render(request, String(request.app.personalDataDays ?? ''))

export function postData(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const days = (call.form.get('personalDataDays') ?? '').trim()
  const save = () => changeApp(ctx, app, checked(AppPatch, { personalDataDays: numberPatch(days) }), {})
  return saved(request, 'data', save, (problem) => render(request, days, problem))
}

function render(request: AppRequest, days: string, problem?: ApiError): PageAnswer {
  const { base, texts } = request
  const { settings } = texts
  return renderTab(request, {
    tab: 'data',
    problem,
    children: (
      <div class="columns">
        <Card title={settings.retention}>
          <Form action={tabUrl(base, 'data')}>
            <p>{settings.retentionIntro}</p>
            <Editable button={settings.saveSettings} proofPage={tabUrl(base, 'data')}>
              <Field
                id="days"
                name="personalDataDays"
                label={settings.days}
                hint={settings.daysHint}
                value={days}
                numeric
                {...settingErrors(problem).at('personalDataDays')}
              />
            </Editable>
          </Form>
        </Card>
        <Exports />
      </div>
    ),
  })
}

function Exports() {
  const request = useRequest()
  const { settings } = request.texts
  return (
    <Card title={settings.exports}>
      <div class="stack">
        <p>{settings.exportsBody}</p>
        <ul class="plain-list">
          {request.can('PaymentRead') && (
            <li>
              <a href={`${request.base}/payments`}>{settings.exportPayments}</a>
            </li>
          )}
          {request.can('AuditRead') && (
            <li>
              <a href={`${request.base}/audit/export`}>{settings.exportAudit}</a>
            </li>
          )}
        </ul>
      </div>
    </Card>
  )
}
