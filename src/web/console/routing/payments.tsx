import { routeFigures } from '../../../insights/routing.ts'
import { listPayments, payersOf } from '../../../payments/search/search.ts'
import { configOf } from '../../../routing/config.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { EmptyState, Pager } from '../../kit/list.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import type { ListColumnId } from '../payments/address.ts'
import { PaymentTable } from '../payments/list.tsx'
import { placeIn, seenOf } from './change.ts'

const COLUMNS: readonly ListColumnId[] = ['amount', 'state', 'method', 'customer', 'provider', 'created']

/** The payments that a figure of a route counts. */
export async function showPayments(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, call, texts } = request
  const { routing } = texts
  const { routes } = configOf(app)
  const place = placeIn(routes, call.query.place)
  const { seen = seenOf(request) } = call.query
  // Counted with other routes: the place may be that of another one now.
  if (place === undefined || seen !== seenOf(request)) return seeOther(`${base}/routing`)
  const figure = (await routeFigures(ctx, app)).routes[place]
  const isApproved = call.query.approved === 'yes'
  const ids = (isApproved ? figure?.approved : figure?.taken) ?? []
  const page = await listPayments(ctx, app, {}, { ids, cursor: call.query.cursor })
  const payers = await payersOf(ctx, app, page.payments)
  const name = routing.routeName({ place: place + 1 })
  return renderScreen(request, {
    name: 'routing',
    title: isApproved ? routing.approvedOf({ name }) : routing.paymentsOf({ name }),
    crumbs: [{ label: routing.title, href: `${base}/routing` }],
    children: (
      <>
        <p class="muted">{routing.paymentsBody}</p>
        {page.payments.length === 0 ? (
          <EmptyState title={texts.payments.emptyFiltered} />
        ) : (
          <PaymentTable columns={COLUMNS} payments={page.payments} payers={payers} />
        )}
        <Pager next={page.next} />
      </>
    ),
  })
}
