import Type, { type Static } from 'typebox'
import { invalid, wrongField } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { majorNumber } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import { inPieces, jsonArray } from '../../http/content/stream.ts'
import type { Route } from '../../http/route.ts'
import { type App, findProfile } from '../../merchants/app.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../../merchants/app-route.ts'
import { STATES } from '../machine.ts'
import { findPayment } from '../store/payments.ts'
import { paymentJson, providerView } from '../view.ts'
import { PAYMENT_EXAMPLE } from '../wire/examples.ts'
import { PaymentSchema } from '../wire/schema.ts'
import type { ListedPayment, PaymentFilter } from './filter.ts'
import { MAX_DEEP, PaymentsQuery, SUMMARY_EXAMPLE, SummaryAnswer, SummaryQuery } from './schema.ts'
import { cursorOf, listPayments } from './search.ts'
import type { SizedPayment } from './store.ts'

const common = { method: 'GET', tag: 'Payments', status: 200, list: true } as const

export const searchRoutes = (ctx: Context): Route[] => [listRoute(ctx), summaryRoute(ctx)]

function listRoute(ctx: Context): Route {
  return appRoute({
    ...common,
    path: '/payments',
    summary: 'List the payments of the app, the newest first',
    description:
      'By filters, or with `q`. New payments do not move a page that a cursor names. A page may have ' +
      'fewer rows than `pageSize`, or none: follow `Link` until there is none. A change is in the list at ' +
      'once on the node that made it, and within a second on others.',
    query: PaymentsQuery,
    response: Type.Array(PaymentSchema),
    responseHeaders: LINK_HEADER,
    errors: ['invalid_request'],
    examples: { response: [PAYMENT_EXAMPLE] },
    handler: async (app, { query, reply }) => {
      const { cursor, pageSize, timeZoneName, ...filter } = query
      const options = { cursor, pageSize: Number(pageSize ?? LIMITS.defaultPageSize), timeZone: timeZoneName }
      const { payments, next, notUnderstood } = await listPayments(ctx, app, filter, options)
      refuseUnknown(filter, notUnderstood)
      const kept = withinBytes(payments)
      const last = kept.at(-1)
      const link = kept.length < payments.length && last ? cursorOf(last) : next
      if (link) reply.header('link', nextPageLink(ctx, app, 'payments', { ...query, cursor: link }))
      return jsonArray(wholePayments(ctx, app, kept))
    },
  })
}

/** A program must not get a list that ignores part of its filter. */
function refuseUnknown(filter: PaymentFilter, notUnderstood: readonly string[]): void {
  if (notUnderstood.length === 0) return
  const fields = Object.keys(filter).filter((field) => field !== 'q')
  throw invalid(
    notUnderstood.map((source) => {
      const field = fields.find((name) => source.startsWith(`${name}=`)) ?? 'q'
      return wrongField(field, `has a part that is not understood: ${source.slice(0, 80)}`)
    }),
  )
}

function withinBytes(payments: readonly SizedPayment[]): SizedPayment[] {
  let bytes = 0
  return payments.filter(({ size }, place) => {
    bytes += size
    return place === 0 || bytes <= LIMITS.pageBytes
  })
}

async function* wholePayments(ctx: Context, app: App, payments: readonly SizedPayment[]) {
  for (const piece of inPieces(payments, LIMITS.pieceBytes)) {
    const found = await Promise.all(piece.map(({ paymentId }) => findPayment(ctx.db, app.appId, paymentId)))
    yield found.flatMap((payment) => (payment ? [paymentJson(ctx, app, payment)] : []))
  }
}

function summaryRoute(ctx: Context): Route {
  return appRoute({
    ...common,
    path: '/payments/summary',
    summary: 'List the payments of the app in pages with numbers',
    description:
      `Only the newest ${MAX_DEEP.toLocaleString('en')} payments that match can be reached. For more, ` +
      'follow the cursor of `GET …/payments`.',
    query: SummaryQuery,
    response: Type.Array(SummaryAnswer),
    errors: ['invalid_request'],
    examples: { response: [SUMMARY_EXAMPLE] },
    handler: async (app, { query }) => {
      const pageSize = Number(query.pageSize ?? LIMITS.defaultPageSize)
      const skip = (Number(query.pageNumber ?? 1) - 1) * pageSize
      if (skip + pageSize > MAX_DEEP) throw tooDeep(app)
      const { payments } = await listPayments(ctx, app, summaryFilter(query), { pageSize, skip })
      return payments.map((payment) => summaryView(ctx, app, payment))
    },
  })
}

const tooDeep = ({ appId }: App) =>
  invalid([
    wrongField(
      'pageNumber',
      `ends beyond row ${MAX_DEEP}. Follow the cursor of GET /api/apps/${appId}/payments instead`,
    ),
  ])

function summaryFilter(query: Static<typeof SummaryQuery>): PaymentFilter {
  const ids = query.paymentStates?.split(',').map(Number)
  const states = Object.entries(STATES).flatMap(([name, { id }]) => (ids?.includes(id) ? [name] : []))
  if (ids && states.length === 0) throw invalid([wrongField('paymentStates', 'names no state')])
  return {
    ...(ids ? { state: states.join(',') } : {}),
    // Quoted: all of it is text.
    ...(query.searchCriteria ? { q: `"${query.searchCriteria.replaceAll('"', '')}"` } : {}),
    ...{ from: query.beginTime, to: query.endTime, customer: query.customerId },
    ...(query.paymentProfileId === undefined ? {} : { profile: String(query.paymentProfileId) }),
    ...(query.fraudPolicyId === undefined ? {} : { policy: String(query.fraudPolicyId) }),
  }
}

function summaryView(ctx: Context, app: App, payment: ListedPayment): Static<typeof SummaryAnswer> {
  const { profileId, currency, last4 } = payment
  const provider = profileId === null ? undefined : findProfile(app, profileId)?.provider
  return {
    paymentId: payment.paymentId,
    paymentProvider: provider === undefined ? null : providerView(ctx, provider),
    currency,
    createdTime: payment.createdTime.toISOString(),
    paymentStateId: STATES[payment.state].id,
    paymentState: payment.state,
    amount: majorNumber(payment.amountMinor, currency),
    customerId: payment.customerId,
    redactedPayerPaymentMethodNumber: last4 === null ? null : `•••• ${last4}`,
    autoPayment: payment.autoPayment,
  }
}
