import { Readable } from 'node:stream'
import { audit } from '../../../audit/audit.ts'
import { policyPage } from '../../../fraud/policies/commands.ts'
import { exportPayments } from '../../../payments/search/export.ts'
import { countNewer, listPayments, payersOf } from '../../../payments/search/search.ts'
import { timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { jsonAnswer, type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { exportPath } from '../exports/form.tsx'
import { addressQuery, isFiltered, listPath, readAddress, shownColumns } from './address.ts'
import { bulkScreens, readIds } from './bulk.tsx'
import { columnScreens, columnsOf } from './columns.tsx'
import type { PolicyName } from './filter.tsx'
import { PaymentList } from './list.tsx'
import { tabCountsOf } from './tabs.tsx'
import { remove, save, share, viewsOf } from './views.tsx'

const PAGE_SIZE = 50

export function paymentsScreens(): ScreenRoute[] {
  return [
    app('GET', '/payments', 'PaymentRead', show),
    app('GET', '/payments/newer', 'PaymentRead', newer),
    app('GET', '/payments/export', proof('PaymentRead'), exportCsv),
    app('POST', '/payments/views', 'PaymentRead', save),
    app('POST', '/payments/views/remove', 'PaymentRead', remove),
    app('POST', '/payments/views/share', 'PaymentWrite', share),
    ...columnScreens(),
    ...bulkScreens(),
  ]
}

/** A form sends its empty fields too. */
const EMPTY_VALUE = /[?&][a-z0-9]+=(&|$)/

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base, texts, can } = request
  const { payments } = texts
  const address = readAddress(call.query)
  if (EMPTY_VALUE.test(call.path)) return seeOther(listPath(base, address))
  const { cursor } = call.query
  const { sort: order, filter } = address
  const options = { cursor, pageSize: PAGE_SIZE, timeZone: timeZoneOf(request), order, hasTotals: true }
  const [page, views, policies, counts, columns] = await Promise.all([
    listPayments(ctx, app, filter, options),
    viewsOf(request),
    policiesOf(request),
    tabCountsOf(request, address),
    address.columns ? shownColumns(address.columns) : columnsOf(request),
  ])
  const payers = await payersOf(ctx, app, columns.includes('customer') ? page.payments : [])
  const query = addressQuery(address)
  // The first payment of an empty app is new too.
  const newest = page.newest ?? (isFiltered(address) ? undefined : '0-0')
  const newerPath = newest && `${base}/payments/newer?${new URLSearchParams({ than: newest })}&${query}`
  return renderScreen(request, {
    name: 'payments',
    title: payments.title,
    actions: (
      <>
        <GetButton href={exportPath(base, query)} shortcut="e">
          {payments.exportCsv}
        </GetButton>
        {can('PaymentWrite') && (
          <GetButton href={`${base}/links/new`} kind="primary">
            {payments.newLink}
          </GetButton>
        )}
      </>
    ),
    children: (
      <PaymentList
        {...{ address, page, views, policies, columns, counts, payers }}
        newerPath={cursor || order ? undefined : newerPath}
      />
    ),
  })
}

async function policiesOf({ ctx, app, can }: AppRequest): Promise<readonly PolicyName[]> {
  if (!app.hasFraudPolicies || !can('FraudPolicyRead')) return []
  return (await policyPage(ctx, app, 0)).items
}

/** For the script of the list: how many payments are newer than its first. */
async function newer(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const { filter } = readAddress(call.query)
  const options = { newest: call.query.than ?? '', timeZone: timeZoneOf(request) }
  return jsonAnswer({ count: await countNewer(ctx, app, filter, options) })
}

/** Exports what a filter or `ids` names. The export is recorded before its first row is sent. */
async function exportCsv(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, now } = request
  const address = readAddress(call.query)
  const ids = call.query.ids === undefined ? undefined : readIds(call.query.ids)
  // Their names alone: the log is never changed, and a text may be an e-mail address.
  const names = new URLSearchParams(addressQuery({ filter: address.filter })).keys()
  const filters = [...new Set(names)].join(' ')
  await audit(ctx, ctx.db, {
    licenseId: app.licenseId,
    appId: app.appId,
    action: 'payments.exported',
    target: `app:${app.appId}`,
    after: { filters, ...(ids ? { ids: ids.join('.') } : {}) },
  })
  const rows = exportPayments(ctx, app, address.filter, { timeZone: timeZoneOf(request), ids })
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
