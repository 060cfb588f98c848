import { Readable } from 'node:stream'
import { audit } from '../../../audit/audit.ts'
import { LIMITS } from '../../../base/limits.ts'
import { policyPage } from '../../../fraud/policies/commands.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { countNewer, exportPayments, listPayments } from '../../../payments/search/search.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { addressQuery, isFiltered, type ListAddress, listPath, readAddress } from './address.ts'
import { act, ask, readIds, select, showResult } from './bulk.tsx'
import type { PolicyName } from './filter-form.tsx'
import { PaymentList } from './list.tsx'
import { remove, save, viewsOf } from './views.tsx'
import { useRequest } from '../../kit/screen.tsx'

const PAGE_SIZE = 50

export function paymentsScreens(): ScreenRoute[] {
  return [
    app('GET', '/payments', 'PaymentRead', show),
    app('GET', '/payments/newer', 'PaymentRead', newer),
    app('GET', '/payments/export', proof('PaymentRead'), exportCsv),
    app('POST', '/payments/views', 'PaymentRead', save),
    app('POST', '/payments/views/remove', 'PaymentRead', remove),
    app('POST', '/payments/bulk', 'PaymentWrite', select, { formBytes: LIMITS.longFormBytes }),
    app('GET', '/payments/bulk/{action}', 'PaymentWrite', ask),
    app('POST', '/payments/bulk/{action}', 'PaymentWrite', act, { formBytes: LIMITS.longFormBytes }),
    app('GET', '/payments/bulk/{action}/result', 'PaymentWrite', showResult),
  ]
}

/** A form sends its empty fields too. */
const EMPTY_VALUE = /[?&][a-z0-9]+=(&|$)/

const timeZoneOf = ({ person }: AppRequest): string => person.timeZone ?? 'UTC'

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base, texts } = request
  const address = readAddress(call.query)
  if (EMPTY_VALUE.test(call.path)) return seeOther(listPath(base, address))
  const { cursor } = call.query
  const options = { cursor, pageSize: PAGE_SIZE, timeZone: timeZoneOf(request) }
  const [page, views, policies] = await Promise.all([
    listPayments(ctx, app, address.filter, options),
    viewsOf(request),
    policiesOf(request),
  ])
  // The first payment of an empty app is new too.
  const newest = page.newest ?? (isFiltered(address) ? undefined : '0-0')
  return renderScreen(request, {
    name: 'payments',
    title: texts.payments.title,
    flash: flashOf(request),
    actions: <Actions address={address} />,
    children: (
      <PaymentList
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

function Actions({ address }: { readonly address: ListAddress }) {
  const request = useRequest()
  const { texts, base } = request
  const { payments } = texts
  return (
    <>
      <GetButton href={`${base}/payments/export?${addressQuery(address)}`} shortcut="e">
        {payments.exportCsv}
      </GetButton>
      {request.can('PaymentWrite') && (
        <GetButton href={`${base}/links/new`} kind="primary">
          {payments.newLink}
        </GetButton>
      )}
    </>
  )
}

async function policiesOf({ ctx, app, can }: AppRequest): Promise<readonly PolicyName[]> {
  if (!app.hasFraudPolicies || !can('FraudPolicyRead')) return []
  return (await policyPage(ctx, app, 0)).items
}

const GOOD_NOTES = ['saved', 'removed']

function flashOf({ call, texts }: AppRequest): ScreenProps['flash'] {
  const { notes } = texts.payments
  const note = call.query.note ?? ''
  if (!Object.hasOwn(notes, note)) return undefined
  return { kind: GOOD_NOTES.includes(note) ? 'ok' : 'bad', text: notes[note as keyof typeof notes] }
}

/** For the script of the list: how many payments are newer than its first. */
async function newer(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const { filter } = readAddress(call.query)
  const options = { newest: call.query.than ?? '', timeZone: timeZoneOf(request) }
  const count = await countNewer(ctx, app, filter, options)
  return {
    file: JSON.stringify({ count }),
    type: 'application/json',
    headers: { 'cache-control': 'no-store' },
  }
}

/** Of a filter, or of the payments that `ids` names. The export is recorded before its first row is sent. */
async function exportCsv(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, now } = request
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
