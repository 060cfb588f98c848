import type { VNode } from 'preact'
import { changeCheckoutPage, removeCheckoutHost } from '../../../merchants/apps/commands.ts'
import { checkHost, type HostVerdict } from '../../../merchants/apps/host-check.ts'
import { CheckoutPagePatch } from '../../../merchants/apps/schema.ts'
import { checkClaimNow } from '../../../merchants/hosts/claims.ts'
import { proofOf } from '../../../merchants/hosts/proof.ts'
import { checkoutOrigin } from '../../../merchants/urls.ts'
import { text } from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { ScreenProps } from '../../kit/frame/shell.tsx'
import { PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { question } from '../../kit/question.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { proof, app as route } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { SettingsFields, settingsForm, tabUrl } from './tabs.tsx'

const { routes: formRoutes, show } = settingsForm({
  tab: 'host',
  schema: CheckoutPagePatch,
  rule: proof('AppSettingWrite'),
  fields: { name: [text('domain', { ltr: true })] },
  view: (_ctx, { hostClaim, checkoutHost }) => ({ domain: hostClaim?.host ?? checkoutHost }),
  save: (ctx, app, patch: CheckoutPagePatch) => changeCheckoutPage(ctx, app, patch),
  texts: ({ texts }) => texts.settings.fields,
  screen: (request, problem) => (problem ? {} : verdictFlash(request)),
  page: ({ texts: { settings } }, { group }) => (
    <Card title={settings.tabs.host} class="form-card">
      <div class="stack">
        <Addresses />
        <ProofNeeded />
        <SettingsFields tab="host" button={settings.saveHost}>
          {group('name')}
        </SettingsFields>
        <HostActions />
      </div>
    </Card>
  ),
})

function Addresses() {
  const { ctx, app, texts } = useRequest()
  const { settings } = texts
  const target = new URL(ctx.config.publicUrl).hostname
  return (
    <>
      <p>{settings.hostIntro}</p>
      <KeyValue
        rows={[
          [settings.hostNow, <code>{checkoutOrigin(ctx, app)}</code>],
          [settings.hostTarget, <CopyText text={target} label={settings.hostTarget} />],
        ]}
      />
      <p class="muted">{settings.hostCertificates}</p>
    </>
  )
}

function HostActions() {
  const { app, base, can, texts } = useRequest()
  const { settings } = texts
  if ((app.checkoutHost === null && app.hostClaim === null) || !can('AppSettingWrite')) return null
  return (
    <div class="buttons">
      <PostButton action={`${base}/settings/host/check`}>
        {app.hostClaim ? settings.checkProof : settings.checkHost}
      </PostButton>
      <QuestionButton href={`${base}/settings/host/remove`} kind="danger">
        {settings.removeHost}
      </QuestionButton>
    </div>
  )
}

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

function postCheck(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base } = request
  const here = tabUrl(base, 'host')
  return retryForm(
    async () => {
      if (app.hostClaim) return seeOther(`${here}?proof=${await checkClaimNow(ctx, app)}`)
      if (app.checkoutHost === null) return seeOther(here)
      return seeOther(`${here}?check=${await checkHost(ctx, app.checkoutHost)}`)
    },
    (problem) => show(request, problem),
  )
}

const removeRoutes = question('/settings/host/remove', proof('AppSettingWrite'), {
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

export const hostRoutes = [
  ...formRoutes,
  route('POST', '/settings/host/check', 'AppSettingWrite', postCheck),
  ...removeRoutes,
]
