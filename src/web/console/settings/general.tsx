import type { ApiError } from '../../../base/errors.ts'
import { policyPage } from '../../../fraud/policies/commands.ts'
import type { App } from '../../../merchants/app.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Checkbox, Field, Select } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { shortText } from '../../kit/format/short-text.ts'
import { proofUrl } from '../../kit/frame/proof.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { checked } from '../../kit/checked.ts'
import { Form, TextArea } from '../../kit/html/forms.tsx'
import { renderTab, Editable, numberPatch, saved, settingErrors, tabUrl } from './tabs.tsx'
import { useRequest } from '../../kit/screen.tsx'

/** The fields as texts, named like the members of the API. */
interface Values {
  readonly friendlyName: string
  readonly timeZone: string
  readonly defaultFraudPolicyId: string
  readonly isTwoFactorAuthenticationEnabled: boolean
  readonly requireOtpForApiKeys: boolean
  readonly maxThresholdRefundCountDaily: string
  readonly refundProcessReceiverEmails: string
}

const storedValues = (app: App): Values => ({
  friendlyName: app.friendlyName,
  timeZone: app.timeZone,
  defaultFraudPolicyId: String(app.defaultFraudPolicyId ?? ''),
  isTwoFactorAuthenticationEnabled: app.twoFactorRequired,
  requireOtpForApiKeys: app.requireOtpForApiKeys,
  maxThresholdRefundCountDaily: String(app.maxRefundsDaily ?? ''),
  refundProcessReceiverEmails: app.refundEmails.join('\n'),
})

function postedValues({ call: { form } }: AppRequest): Values {
  const text = (name: keyof Values) => (form.get(name) ?? '').trim()
  return {
    friendlyName: text('friendlyName'),
    timeZone: text('timeZone'),
    defaultFraudPolicyId: text('defaultFraudPolicyId'),
    isTwoFactorAuthenticationEnabled: form.has('isTwoFactorAuthenticationEnabled'),
    requireOtpForApiKeys: form.has('requireOtpForApiKeys'),
    maxThresholdRefundCountDaily: text('maxThresholdRefundCountDaily'),
    refundProcessReceiverEmails: text('refundProcessReceiverEmails'),
  }
}

export const showGeneral = (request: AppRequest): Promise<PageAnswer> =>
  render(request, storedValues(request.app))

export function postGeneral(request: AppRequest): Promise<PageAnswer> {
  const values = postedValues(request)
  const save = () => changeApp(request.ctx, request.app, patchFrom(values), {})
  return saved(request, 'general', save, (problem) =>
    // The last proof had no code, and what protects refunds is loosened with one only.
    problem.code === 'otp_required'
      ? seeOther(proofUrl(tabUrl(request.base, 'general')))
      : render(request, values, problem),
  )
}

const patchFrom = (values: Values): AppPatch =>
  checked(AppPatch, {
    ...values,
    defaultFraudPolicyId: values.defaultFraudPolicyId || { value: null },
    maxThresholdRefundCountDaily: numberPatch(values.maxThresholdRefundCountDaily),
    refundProcessReceiverEmails: values.refundProcessReceiverEmails.split(/[\s,;]+/).filter(Boolean),
  })

async function render(request: AppRequest, values: Values, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, base, texts } = request
  const { items } = await policyPage(ctx, app, 0)
  const policies = items.map(({ policyId, name }) => ({
    value: String(policyId),
    label: shortText(name, 60) ?? String(policyId),
  }))
  const props = { request, values, problem, policies }
  return renderTab(request, {
    tab: 'general',
    problem,
    children: (
      <Form action={tabUrl(base, 'general')}>
        <Editable button={texts.settings.saveSettings} proofPage={tabUrl(base, 'general')}>
          <div class="columns">
            <About {...props} />
            <Protection {...props} />
          </div>
        </Editable>
      </Form>
    ),
  })
}

interface PartProps {
  readonly values: Values
  readonly problem: ApiError | undefined
  readonly policies: readonly { readonly value: string; readonly label: string }[]
}

function About({ values, problem, policies }: PartProps) {
  const request = useRequest()
  const { settings } = request.texts
  const wrong = settingErrors(problem)
  return (
    <Card title={settings.about}>
      <div class="stack">
        <Field
          id="name"
          name="friendlyName"
          label={settings.name}
          hint={settings.nameHint}
          value={values.friendlyName}
          required
          {...wrong.at('friendlyName')}
        />
        <div>
          <Select
            id="zone"
            name="timeZone"
            label={settings.timeZone}
            value={values.timeZone}
            options={zones(values.timeZone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          />
          <p class="hint">{settings.timeZoneHint}</p>
        </div>
        <Select
          id="policy"
          name="defaultFraudPolicyId"
          label={settings.policy}
          value={values.defaultFraudPolicyId}
          options={[{ value: '', label: settings.noPolicy }, ...policies]}
        />
      </div>
    </Card>
  )
}

function Protection({ values, problem }: PartProps) {
  const request = useRequest()
  const { settings } = request.texts
  const wrong = settingErrors(problem)
  return (
    <Card title={settings.protection}>
      <div class="stack">
        <Checkbox
          id="otp"
          name="isTwoFactorAuthenticationEnabled"
          checked={values.isTwoFactorAuthenticationEnabled}
        >
          {settings.secondFactor}
        </Checkbox>
        <Checkbox id="otp-keys" name="requireOtpForApiKeys" checked={values.requireOtpForApiKeys}>
          {settings.secondFactorKeys}
        </Checkbox>
        <Field
          id="limit"
          name="maxThresholdRefundCountDaily"
          label={settings.refundLimit}
          hint={settings.refundLimitHint}
          value={values.maxThresholdRefundCountDaily}
          numeric
          {...wrong.at('maxThresholdRefundCountDaily')}
        />
        <TextArea
          id="emails"
          name="refundProcessReceiverEmails"
          label={settings.emails}
          hint={settings.emailsHint}
          value={values.refundProcessReceiverEmails}
          {...wrong.at('refundProcessReceiverEmails')}
        />
      </div>
    </Card>
  )
}

/** The zones of this process, and the one in use where it has another name. */
const zones = (current: string): string[] => [
  ...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')]),
]
