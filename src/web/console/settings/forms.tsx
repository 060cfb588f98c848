import { LIMITS } from '../../../base/limits.ts'
import { zoneChoices } from '../../../base/time/zone-names.ts'
import { policyPage } from '../../../fraud/policies/commands.ts'
import { canSend } from '../../../mail/queue.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { PAYER_MAILS, TEAM_MAILS } from '../../../merchants/apps/mail-kinds.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import { appView } from '../../../merchants/apps/view.ts'
import { CLEARED, choice, type FormField, lines, number, text, tick, ticks } from '../../kit/form.tsx'
import { shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Card } from '../../kit/html/layout.tsx'
import { proof } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { FieldsCard, SettingsFields, settingsForm } from './tabs.tsx'

export const OF_APP = {
  schema: AppPatch,
  view: (ctx, app) => appView(ctx, app, {}),
  save: (ctx, app, patch: AppPatch) => changeApp(ctx, app, patch, {}),
} satisfies Partial<Parameters<typeof settingsForm<typeof AppPatch>>[0]>

/** Lines such as `EUR 500.00`. What is none is left to the command, which refuses it. */
const APPROVAL: FormField = {
  ...lines('refundApprovalAbove', { id: 'approval' }),
  stored: (amounts) =>
    (amounts as readonly { readonly currency: string; readonly amount: number }[])
      .map(({ currency, amount }) => `${currency} ${amount}`)
      .join('\n'),
  body: (value) =>
    String(value)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [, currency = '', amount = ''] =
          /^\s*([A-Za-z]{3})\s+(\d{1,12}(?:[.,]\d{1,4})?)\s*$/.exec(line) ?? []
        return { currency: currency.toUpperCase(), amount: Number(amount.replace(',', '.')) }
      }),
}

const zones = (_request: AppRequest, current: string) => zoneChoices(current)

async function policies({ ctx, app, texts }: AppRequest) {
  const { items } = await policyPage(ctx, app, 0)
  const named = items.map(({ policyId, name }) => ({
    value: String(policyId),
    label: shortText(name, 60) ?? String(policyId),
  }))
  return [{ value: '', label: texts.settings.noPolicy }, ...named]
}

export const { routes: generalRoutes } = settingsForm({
  ...OF_APP,
  tab: 'general',
  rule: proof('AppSettingWrite'),
  texts: ({ texts }) => texts.settings.fields,
  fields: {
    about: [
      text('friendlyName', { id: 'name', required: true }),
      choice('timeZone', zones, { id: 'zone' }),
      number('monthStartsOn', { id: 'month-start' }),
      choice('defaultFraudPolicyId', policies, { id: 'policy', empty: CLEARED }),
      text('statementDescriptor', { id: 'statement', maxLength: LIMITS.statementLength }),
      tick('acceptLatePayments', { id: 'late' }),
    ],
    protection: [
      tick('isTwoFactorAuthenticationEnabled', { id: 'otp' }),
      tick('requireOtpForApiKeys', { id: 'otp-keys' }),
      number('maxThresholdRefundCountDaily', { id: 'limit' }),
      APPROVAL,
      lines('refundProcessReceiverEmails', { id: 'emails', member: 'emailAddress' }),
      tick('retryGuard', { id: 'retry-guard' }),
    ],
  },
  page: ({ texts: { settings } }, { group }) => (
    <SettingsFields tab="general" button={settings.saveSettings} proof>
      <div class="columns">
        <FieldsCard title={settings.about}>{group('about')}</FieldsCard>
        <FieldsCard title={settings.protection}>{group('protection')}</FieldsCard>
      </div>
    </SettingsFields>
  ),
})

export const { routes: dataRoutes } = settingsForm({
  ...OF_APP,
  tab: 'data',
  rule: proof('AppSettingWrite'),
  texts: ({ texts }) => texts.settings.fields,
  fields: { days: [number('personalDataDays', { id: 'days' })] },
  page: ({ texts: { settings } }, { group }) => (
    <div class="columns">
      <Card title={settings.retention}>
        <SettingsFields tab="data" button={settings.saveSettings} intro={settings.retentionIntro} proof>
          {group('days')}
        </SettingsFields>
      </Card>
      <Exports />
    </div>
  ),
})

function Exports() {
  const { base, can, texts } = useRequest()
  const { settings } = texts
  return (
    <FieldsCard title={settings.exports}>
      <p>{settings.exportsBody}</p>
      <ul class="plain-list">
        {can('PaymentRead') && (
          <li>
            <a href={`${base}/payments`}>{settings.exportPayments}</a>
          </li>
        )}
        {can('AuditRead') && (
          <li>
            <a href={`${base}/audit/export`}>{settings.exportAudit}</a>
          </li>
        )}
      </ul>
    </FieldsCard>
  )
}

const kinds =
  (all: readonly (keyof AppRequest['texts']['emails']['kinds'])[]) =>
  ({ texts }: AppRequest) =>
    all.map((value) => ({ value, label: texts.emails.kinds[value] }))

export const { routes: emailsRoutes } = settingsForm({
  ...OF_APP,
  tab: 'e-mails',
  inside: 'emails',
  rule: { permission: 'AppSettingWrite' },
  texts: ({ texts }) => texts.emails.fields,
  fields: {
    payer: [
      ticks('payer', kinds(PAYER_MAILS), PAYER_MAILS),
      text('fromName', { id: 'from-name', maxLength: 100 }),
      text('replyTo', { id: 'reply-to', type: 'email', ltr: true }),
    ],
    team: [ticks('team', kinds(TEAM_MAILS), TEAM_MAILS), lines('teamAddresses', { id: 'team-addresses' })],
  },
  page: ({ ctx, app, base, can, texts: { emails } }, { group }) => (
    <>
      {!canSend(ctx) && <p class="muted">{emails.noServer}</p>}
      <SettingsFields tab="e-mails" button={emails.save}>
        <div class="columns">
          <FieldsCard title={emails.payer}>
            <p>{emails.payerIntro}</p>
            {group('payer')}
          </FieldsCard>
          <FieldsCard title={emails.team}>
            <p>{emails.teamIntro}</p>
            {group('team')}
          </FieldsCard>
        </div>
      </SettingsFields>
      {app.isSandbox && can('DeveloperRead') && (
        <p>
          <a href={`${base}/developers/e-mails`}>{emails.showPreview}</a>
        </p>
      )}
    </>
  ),
})
