import type { ApiError } from '../../base/errors.ts'
import { checkoutOrigin } from '../../merchants/app.ts'
import { changeCheckoutPage, removeCheckoutHost } from '../../merchants/apps/commands.ts'
import { checkHost, type HostVerdict } from '../../merchants/apps/host-check.ts'
import { CheckoutPagePatch } from '../../merchants/apps/schema.ts'
import { type PageAnswer, seeOther } from '../../pages/page-route.tsx'
import { Field } from '../../pages/ui/controls.tsx'
import { Card, KeyValue } from '../../pages/ui/layout.tsx'
import { drawScreen, type ScreenProps } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { checked } from '../parts/checked.ts'
import { Ask, AskButton, Form, PostButton } from '../parts/forms.tsx'
import { CopyText } from '../parts/text.tsx'
import { drawTab, Editable, saved, settingErrors, tabUrl } from './tabs.tsx'

export const showHost = (visit: AppVisit): PageAnswer => draw(visit, visit.app.checkoutHost ?? '')

export function postHost(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const domain = (call.form.get('domain') ?? '').trim()
  const save = () => changeCheckoutPage(ctx, app, checked(CheckoutPagePatch, { domain }))
  return saved(visit, 'host', save, (problem) => draw(visit, domain, problem))
}

function draw(visit: AppVisit, host: string, problem?: ApiError): PageAnswer {
  const { ctx, app, base, call, texts } = visit
  const { settings } = texts
  const target = new URL(ctx.config.publicUrl).hostname
  const isRemoved = call.query.note === 'removed' && !problem
  return drawTab(visit, {
    tab: 'host',
    problem,
    ...(isRemoved ? { flash: { kind: 'ok', text: settings.hostRemoved } as const } : {}),
    ...(problem ? {} : verdictFlash(visit)),
    children: (
      <Card title={settings.tabs.host} class="form-card">
        <div class="stack">
          <p>{settings.hostIntro}</p>
          <KeyValue
            rows={[
              [settings.hostNow, <code>{checkoutOrigin(ctx, app)}</code>],
              [settings.hostTarget, <CopyText visit={visit} text={target} label={settings.hostTarget} />],
            ]}
          />
          <p class="muted">{settings.hostCertificates}</p>
          <Form visit={visit} action={tabUrl(base, 'host')}>
            <Editable visit={visit} button={settings.saveHost}>
              <Field
                id="domain"
                name="domain"
                label={settings.host}
                hint={settings.hostHint}
                value={host}
                ltr
                {...settingErrors(problem).at('domain')}
              />
            </Editable>
          </Form>
          {app.checkoutHost !== null && visit.can('AppSettingWrite') && (
            <div class="buttons">
              <PostButton visit={visit} action={`${base}/settings/host/check`}>
                {settings.checkHost}
              </PostButton>
              <AskButton href={`${base}/settings/host/remove`} kind="danger">
                {settings.removeHost}
              </AskButton>
            </div>
          )}
        </div>
      </Card>
    ),
  })
}

/** What the check found, in a sentence. */
function verdictFlash({ app, call, texts }: AppVisit): Partial<ScreenProps> {
  const verdicts: Readonly<Record<string, (host: string) => string>> = texts.settings.hostVerdicts
  const verdict = call.query.check ?? ''
  if (app.checkoutHost === null || !Object.hasOwn(verdicts, verdict)) return {}
  const text = verdicts[verdict]?.(app.checkoutHost) ?? ''
  return { flash: { kind: verdict === ('ok' satisfies HostVerdict) ? 'ok' : 'bad', text } }
}

export async function postCheckHost({ ctx, app, base }: AppVisit): Promise<PageAnswer> {
  const here = tabUrl(base, 'host')
  if (app.checkoutHost === null) return seeOther(here)
  return seeOther(`${here}?check=${await checkHost(ctx, app.checkoutHost)}`)
}

export function askRemoveHost(visit: AppVisit): PageAnswer {
  const { app, base, texts } = visit
  const { settings } = texts
  if (app.checkoutHost === null) return seeOther(tabUrl(base, 'host'))
  return drawScreen(visit, {
    name: 'settings',
    title: settings.removeHostTitle,
    crumbs: [{ label: settings.title, href: tabUrl(base, 'host') }],
    children: (
      <Ask
        visit={visit}
        action={`${base}/settings/host/remove`}
        button={settings.removeHost}
        kind="danger"
        back={tabUrl(base, 'host')}
      >
        <p>{settings.removeHostBody(app.checkoutHost)}</p>
      </Ask>
    ),
  })
}

export async function postRemoveHost({ ctx, app, base }: AppVisit): Promise<PageAnswer> {
  await removeCheckoutHost(ctx, app)
  return seeOther(`${tabUrl(base, 'host')}?note=removed`)
}
