import type { ApiError } from '../../../base/errors.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Field } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { checked } from '../parts/checked.ts'
import { Form } from '../parts/forms.tsx'
import { drawTab, Editable, numberPatch, saved, settingErrors, tabUrl } from './tabs.tsx'

export const showData = (visit: AppVisit): PageAnswer => draw(visit, String(visit.app.personalDataDays ?? ''))

export function postData(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const days = (call.form.get('personalDataDays') ?? '').trim()
  const save = () => changeApp(ctx, app, checked(AppPatch, { personalDataDays: numberPatch(days) }), {})
  return saved(visit, 'data', save, (problem) => draw(visit, days, problem))
}

function draw(visit: AppVisit, days: string, problem?: ApiError): PageAnswer {
  const { base, texts } = visit
  const { settings } = texts
  return drawTab(visit, {
    tab: 'data',
    problem,
    children: (
      <div class="columns">
        <Card title={settings.retention}>
          <Form visit={visit} action={tabUrl(base, 'data')}>
            <p>{settings.retentionIntro}</p>
            <Editable visit={visit} button={settings.saveSettings} proofPage={tabUrl(base, 'data')}>
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
        <Exports visit={visit} />
      </div>
    ),
  })
}

function Exports({ visit }: { readonly visit: AppVisit }) {
  const { settings } = visit.texts
  return (
    <Card title={settings.exports}>
      <div class="stack">
        <p>{settings.exportsBody}</p>
        <ul class="plain-list">
          {visit.can('PaymentRead') && (
            <li>
              <a href={`${visit.base}/payments`}>{settings.exportPayments}</a>
            </li>
          )}
          {visit.can('AuditRead') && (
            <li>
              <a href={`${visit.base}/audit/export`}>{settings.exportAudit}</a>
            </li>
          )}
        </ul>
      </div>
    </Card>
  )
}
