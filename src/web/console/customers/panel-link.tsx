import { after, DAY } from '../../../base/clock.ts'
import { LIMITS } from '../../../base/limits.ts'
import { PANEL_SCOPES, panelLink } from '../../../customers/panel.ts'
import { appNow } from '../../../merchants/app.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Select } from '../../kit/html/controls.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { GetButton, TextArea } from '../parts/forms.tsx'
import { CopyText } from '../parts/text.tsx'
import { timeIn } from '../parts/time.tsx'
import { customerCrumbs, customerOf, drawAsk, homeOf } from './page.tsx'

/** How long the link works. */
const EXPIRIES = { hour: LIMITS.panelLinkMs, day: DAY, week: LIMITS.panelLinkMaxMs } as const
type Expiry = keyof typeof EXPIRIES
const EXPIRY_NAMES = Object.keys(EXPIRIES) as Expiry[]

export async function askPanelLink(visit: AppVisit): Promise<PageAnswer> {
  const { customers } = visit.texts
  return drawAsk(visit, await customerOf(visit), {
    title: customers.panelLink,
    path: 'panel-link',
    button: customers.panelCreate,
    children: (
      <>
        <p>{customers.panelBody}</p>
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
  })
}

/** The only page that shows the link. */
export async function showPanelLink(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts } = visit
  const { customers } = texts
  const customer = await customerOf(visit)
  const wanted = call.form.get('scope')
  const scope = PANEL_SCOPES.find((one) => one === wanted) ?? 'All'
  const expiry = EXPIRY_NAMES.find((one) => one === call.form.get('expiry')) ?? 'hour'
  const until = after(appNow(ctx, app), EXPIRIES[expiry])
  const url = panelLink(ctx, app, { customerId: customer.customerId, scope }, EXPIRIES[expiry])
  const mail = customers.panelMail({ merchant: app.friendlyName, url, until: timeIn(visit, until, 'second') })
  return drawScreen(visit, {
    name: 'customers',
    title: customers.panelLink,
    crumbs: customerCrumbs(visit, customer),
    flash: { kind: 'ok', text: customers.panelReady },
    headers: { 'cache-control': 'no-store' },
    children: (
      <section class="card form-card stack">
        <p>{customers.panelScopes[scope]}</p>
        <CopyText visit={visit} text={url} label={customers.panelLink} />
        <p class="muted">{customers.panelUntil(timeIn(visit, until))}</p>
        <TextArea id="mail" name="mail" label={texts.links.mail} value={mail} rows={7} readonly />
        <button class="button quiet" type="button" data-copy={mail} hidden>
          {texts.links.copyMail}
        </button>
        <div class="buttons">
          <GetButton href={homeOf(visit, customer)}>{customers.panelDone}</GetButton>
        </div>
      </section>
    ),
  })
}
