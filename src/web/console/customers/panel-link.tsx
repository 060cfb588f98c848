import { after, DAY } from '../../../base/clock.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Customer } from '../../../customers/commands.ts'
import { PANEL_SCOPES, panelLink } from '../../../customers/panel.ts'
import { appNow } from '../../../merchants/app.ts'
import { timeIn } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Select } from '../../kit/html/controls.tsx'
import { GetButton, TextArea } from '../../kit/html/forms.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { question } from '../../kit/question.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { customerCrumbs, homeOf, OF_CUSTOMER, ONE } from './page.tsx'

/** How long the link works. */
const EXPIRIES = { hour: LIMITS.panelLinkMs, day: DAY, week: LIMITS.panelLinkMaxMs } as const
const EXPIRY_NAMES = Object.keys(EXPIRIES) as (keyof typeof EXPIRIES)[]

export const panelLinkRoutes = question(`${ONE}/panel-link`, 'CustomerWrite', {
  ...OF_CUSTOMER,
  texts: ({ customers }) => ({
    title: customers.panelLink,
    body: customers.panelBody,
    button: customers.panelCreate,
  }),
  fields: ({ texts: { customers } }) => (
    <>
      <Select
        id="panel-scope"
        name="scope"
        label={customers.panelScope}
        value="All"
        options={[...PANEL_SCOPES].reverse().map((value) => ({
          value,
          label: customers.panelScopes[value],
        }))}
      />
      <Select
        id="panel-expiry"
        name="expiry"
        label={customers.panelExpiry}
        value="hour"
        options={EXPIRY_NAMES.map((value) => ({ value, label: customers.panelExpiries[value] }))}
      />
      <p class="muted">{customers.panelOnce}</p>
    </>
  ),
  run: async (request, { customer }) => renderLink(request, customer),
})

/** The only page that shows the link. */
function renderLink(request: AppRequest, customer: Customer): PageAnswer {
  const { ctx, app, call, texts } = request
  const { customers } = texts
  const scope = PANEL_SCOPES.find((one) => one === call.form.get('scope')) ?? 'All'
  const expiry = EXPIRY_NAMES.find((one) => one === call.form.get('expiry')) ?? 'hour'
  const until = after(appNow(ctx, app), EXPIRIES[expiry])
  const url = panelLink(ctx, app, { customerId: customer.customerId, scope }, EXPIRIES[expiry])
  const mail = customers.panelMail({
    merchant: app.friendlyName,
    url,
    until: timeIn(request, until, 'second'),
  })
  return renderScreen(request, {
    name: 'customers',
    title: customers.panelLink,
    crumbs: customerCrumbs(request, { customer }),
    flash: { kind: 'ok', text: customers.panelReady },
    headers: { 'cache-control': 'no-store' },
    children: (
      <section class="card form-card stack">
        <p>{customers.panelScopes[scope]}</p>
        <CopyText text={url} label={customers.panelLink} />
        <p class="muted">{customers.panelUntil({ time: timeIn(request, until) })}</p>
        <TextArea id="mail" name="mail" label={texts.links.mail} value={mail} rows={7} readonly />
        <button class="button quiet" type="button" data-copy={mail} hidden>
          {texts.links.copyMail}
        </button>
        <div class="buttons">
          <GetButton href={homeOf(request, customer)}>{customers.panelDone}</GetButton>
        </div>
      </section>
    ),
  })
}
