import type { VNode } from 'preact'
import type { ApiError } from '../../../base/errors.ts'
import { changeCheckoutPage, removeCheckoutHost } from '../../../merchants/apps/commands.ts'
import { checkHost, type HostVerdict } from '../../../merchants/apps/host-check.ts'
import { CheckoutPagePatch } from '../../../merchants/apps/schema.ts'
import { checkClaimNow } from '../../../merchants/hosts/claims.ts'
import { proofOf } from '../../../merchants/hosts/proof.ts'
import { checkoutOrigin } from '../../../merchants/urls.ts'
import { checked } from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { ScreenProps } from '../../kit/frame/shell.tsx'
import { Field } from '../../kit/html/controls.tsx'
import { Form, PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { question } from '../../kit/question.tsx'
import { errorsByField, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { proof } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { Editable, renderTab, saved, tabUrl } from './tabs.tsx'

export const showHost = (request: AppRequest): PageAnswer =>
  render(request, request.app.hostClaim?.host ?? request.app.checkoutHost ?? '')

export function postHost(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const domain = (call.form.get('domain') ?? '').trim()
  const save = () => changeCheckoutPage(ctx, app, checked(CheckoutPagePatch, { domain }))
  return saved(request, 'host', save, (problem) => render(request, domain, problem))
}

function render(request: AppRequest, host: string, problem?: ApiError): PageAnswer {
  const { ctx, app, base, texts } = request
  const { settings } = texts
  const target = new URL(ctx.config.publicUrl).hostname
  return renderTab(request, {
    tab: 'host',
    problem,
    ...(problem ? {} : verdictFlash(request)),
    children: (
      <Card title={settings.tabs.host} class="form-card">
        <div class="stack">
          <p>{settings.hostIntro}</p>
          <KeyValue
            rows={[
              [settings.hostNow, <code>{checkoutOrigin(ctx, app)}</code>],
              [settings.hostTarget, <CopyText text={target} label={settings.hostTarget} />],
            ]}
          />
          <p class="muted">{settings.hostCertificates}</p>
          <ProofNeeded />
          <Form action={tabUrl(base, 'host')}>
            <Editable button={settings.saveHost}>
              <Field
                id="domain"
                name="domain"
                label={settings.fields.domain.label}
                hint={settings.fields.domain.hint}
                value={host}
                ltr
                {...errorsByField(problem).for('domain')}
              />
            </Editable>
          </Form>
          {hasHost(request) && request.can('AppSettingWrite') && (
            <div class="buttons">
              <PostButton action={`${base}/settings/host/check`}>
                {app.hostClaim ? settings.checkProof : settings.checkHost}
              </PostButton>
              <QuestionButton href={`${base}/settings/host/remove`} kind="danger">
                {settings.removeHost}
              </QuestionButton>
            </div>
          )}
        </div>
      </Card>
    ),
  })
}

const hasHost = ({ app }: AppRequest): boolean => app.checkoutHost !== null || app.hostClaim !== null

/** What to do so that the name takes effect. */
function ProofNeeded() {
  const { app, texts } = useRequest()
  const { settings } = texts
  if (!app.hostClaim) return null
  const proof = proofOf(app.appId, app.hostClaim)
  const row = (label: string, text: string): [string, VNode] => [
    label,
    <CopyText text={text} label={label} />,
  ]
  return (
    <div class="stack">
      <p>
        <strong>{settings.proofTitle({ host: proof.host })}</strong>
      </p>
      <p>{settings.proofRecord}</p>
      <KeyValue
        rows={[row(settings.proofName, proof.recordName), row(settings.proofValue, proof.recordValue)]}
      />
      <p>{settings.proofFile}</p>
      <KeyValue
        rows={[row(settings.proofUrl, proof.fileUrl), row(settings.proofContent, proof.fileContent)]}
      />
      <p class="muted">{settings.proofJob}</p>
    </div>
  )
}

/** What the check found, in a sentence. */
function verdictFlash(request: AppRequest): Partial<ScreenProps> {
  const { app, call, texts } = request
  const { proofVerdicts } = texts.settings
  const found = call.query.proof ?? ''
  if (found === 'proven' && app.checkoutHost !== null)
    return { flash: { kind: 'ok', text: proofVerdicts.proven({ host: app.checkoutHost }) } }
  if (app.hostClaim && (found === 'not-found' || found === 'taken'))
    return { flash: { kind: 'bad', text: proofVerdicts[found]({ host: app.hostClaim.host }) } }
  return reachFlash(request)
}

/** Whether the name leads here. */
function reachFlash({ app, call, texts }: AppRequest): Partial<ScreenProps> {
  const { hostVerdicts } = texts.settings
  const verdict = call.query.check ?? ''
  if (app.checkoutHost === null || !Object.hasOwn(hostVerdicts, verdict)) return {}
  const text = hostVerdicts[verdict as HostVerdict]({ host: app.checkoutHost })
  return { flash: { kind: verdict === ('ok' satisfies HostVerdict) ? 'ok' : 'bad', text } }
}

export function postCheckHost(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base } = request
  const here = tabUrl(base, 'host')
  return retryForm(
    async () => {
      if (app.hostClaim) return seeOther(`${here}?proof=${await checkClaimNow(ctx, app)}`)
      if (app.checkoutHost === null) return seeOther(here)
      return seeOther(`${here}?check=${await checkHost(ctx, app.checkoutHost)}`)
    },
    (problem) => render(request, app.hostClaim?.host ?? '', problem),
  )
}

export const removeHostRoutes = question('/settings/host/remove', proof('AppSettingWrite'), {
  kind: 'danger',
  subject: ({ app }) => app.checkoutHost ?? app.hostClaim?.host ?? '',
  texts: ({ settings }, host) => ({
    title: settings.removeHostTitle,
    body: settings.removeHostBody({ host }),
    button: settings.removeHost,
  }),
  isPossible: (host) => host !== '',
  run: async ({ ctx, app }) => {
    await removeCheckoutHost(ctx, app)
    return 'removed'
  },
})
