import { Readable } from 'node:stream'
import { audit } from '../../../audit/audit.ts'
import { LIMITS } from '../../../base/limits.ts'
import { policyPage } from '../../../fraud/policies/commands.ts'
import type { Route } from '../../../http/route.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { countNewer, exportPayments, listPayments } from '../../../payments/search/search.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen, type ScreenProps } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { GetButton } from '../parts/forms.tsx'
import { addressQuery, isFiltered, type ListAddress, listPath, readAddress } from './address.ts'
import { act, ask, readIds, select, showResult } from './bulk.tsx'
import type { PolicyName } from './filter-form.tsx'
import { PaymentList } from './list.tsx'
import { remove, save, viewsOf } from './views.tsx'

const PAGE_SIZE = 50

export function paymentsScreens(screens: Screens): Route[] {
  return [
    screens.app('GET', '/payments', show),
    screens.app('GET', '/payments/newer', newer),
    screens.app('GET', '/payments/export', exportCsv),
    screens.app('POST', '/payments/views', save),
    screens.app('POST', '/payments/views/remove', remove),
    screens.app('POST', '/payments/bulk', select, { formBytes: LIMITS.longFormBytes }),
    screens.app('GET', '/payments/bulk/{action}', ask),
    screens.app('POST', '/payments/bulk/{action}', act, { formBytes: LIMITS.longFormBytes }),
    screens.app('GET', '/payments/bulk/{action}/result', showResult),
  ]
}

/** A form sends its empty fields too. */
const EMPTY_VALUE = /[?&][a-z0-9]+=(&|$)/

const timeZoneOf = ({ person }: AppVisit): string => person.timeZone ?? 'UTC'

async function show(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, base, texts } = visit
  const address = readAddress(call.query)
  if (EMPTY_VALUE.test(call.path)) return seeOther(listPath(base, address))
  const { cursor } = call.query
  const options = { cursor, pageSize: PAGE_SIZE, timeZone: timeZoneOf(visit) }
  const [page, views, policies] = await Promise.all([
    listPayments(ctx, app, address.filter, options),
    viewsOf(visit),
    policiesOf(visit),
  ])
  // The first payment of an empty app is new too.
  const newest = page.newest ?? (isFiltered(address) ? undefined : '0-0')
  return drawScreen(visit, {
    name: 'payments',
    title: texts.payments.title,
    flash: flashOf(visit),
    actions: <Actions visit={visit} address={address} />,
    children: (
      <PaymentList
        visit={visit}
        address={address}
        page={page}
        views={views}
        policies={policies}
        newerPath={cursor || !newest ? undefined : newerPath(base, address, newest)}
      />
    ),
  })
}

const newerPath = (base: string, address: ListAddress, newest: string): string =>
  `${base}/payments/newer?${new URLSearchParams({ than: newest })}&${addressQuery(address)}`

function Actions({ visit, address }: { readonly visit: AppVisit; readonly address: ListAddress }) {
  const { texts, base } = visit
  const { payments } = texts
  return (
    <>
      <GetButton href={`${base}/payments/export?${addressQuery(address)}`} shortcut="e">
        {payments.exportCsv}
      </GetButton>
      {visit.can('PaymentWrite') && (
        <GetButton href={`${base}/links/new`} kind="primary">
          {payments.newLink}
        </GetButton>
      )}
    </>
  )
}

async function policiesOf({ ctx, app, can }: AppVisit): Promise<readonly PolicyName[]> {
  if (!app.hasFraudPolicies || !can('FraudPolicyRead')) return []
  return (await policyPage(ctx, app, 0)).items
}

const GOOD_NOTES = ['saved', 'removed']

function flashOf({ call, texts }: AppVisit): ScreenProps['flash'] {
  const { notes } = texts.payments
  const note = call.query.note ?? ''
  if (!Object.hasOwn(notes, note)) return undefined
  return { kind: GOOD_NOTES.includes(note) ? 'ok' : 'bad', text: notes[note as keyof typeof notes] }
}

/** For the script of the list: how many payments are newer than its first. */
async function newer(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const { filter } = readAddress(call.query)
  const options = { newest: call.query.than ?? '', timeZone: timeZoneOf(visit) }
  const count = await countNewer(ctx, app, filter, options)
  return {
    file: JSON.stringify({ count }),
    type: 'application/json',
    headers: { 'cache-control': 'no-store' },
  }
}

/** Of a filter, or of the payments that `ids` names. The export is recorded before its first row is sent. */
async function exportCsv(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, now } = visit
  const address = readAddress(call.query)
  const ids = call.query.ids === undefined ? undefined : readIds(call.query.ids)
  // Their names alone: the log is never changed, and a text may be an e-mail address.
  const names = new URLSearchParams(addressQuery({ filter: address.filter, columns: [] })).keys()
  const filters = [...new Set(names)].join(' ')
  await audit(ctx, ctx.db, {
    licenseId: app.licenseId,
    appId: app.appId,
    action: 'payments.exported',
    target: `app:${app.appId}`,
    after: { filters, ...(ids ? { ids: ids.join('.') } : {}) },
  })
  const rows = exportPayments(ctx, app, address.filter, { timeZone: timeZoneOf(visit), ids })
  const day = now.toISOString().slice(0, 10)
  return {
    file: Readable.from(rows),
    type: 'text/csv; charset=utf-8',
    headers: {
      'content-disposition': `attachment; filename="payments-${day}.csv"`,
      'cache-control': 'no-store',
    },
  }
}
