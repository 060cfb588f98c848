import { listOf } from './expand.ts'
import { type Call, found, type Route } from './route.ts'
import type { TypedHash } from './wire/params.ts'
import { SCHEMAS } from './wire/schemas.ts'
import { viewPayout } from './world/payouts.ts'
import { type State, seconds } from './world/state.ts'
import {
  viewAccount,
  viewCustomer,
  viewDispute,
  viewEndpoint,
  viewIntent,
  viewMethod,
  viewSession,
  viewSetup,
} from './world/view.ts'
import { type Json, viewBalance, viewCharge, viewEvent, viewRefund } from './world/view-money.ts'

function listEvents({ state, params }: Call): Json {
  const types = (params.types ?? (params.type ? [params.type] : undefined)) as readonly string[] | undefined
  const oldest = seconds(state) - 30 * 86_400
  const events = state.events.filter(
    ({ type, created }) => (types?.includes(type) ?? true) && created >= oldest,
  )
  return listOf(events.map(viewEvent), { url: '/v1/events', params })
}

const views = <T>(
  state: State,
  map: ReadonlyMap<string, T>,
  view: (state: State, object: T) => Json,
): Json[] => [...map.values()].map((object) => view(state, object))

const only = (objects: readonly Json[], params: TypedHash, ...names: readonly string[]): Json[] =>
  objects.filter((object) =>
    names.every((name) => params[name] === undefined || object[name] === params[name]),
  )

function balancesOf(state: State, params: TypedHash): Json[] {
  const all = [...state.balances.values()].filter(
    ({ id }) => params.payout === undefined || state.paidOut.get(id) === params.payout,
  )
  return all.map((balance) => viewBalance(state, balance))
}

const on = { available: true, display_preference: { preference: 'on', value: 'on' } }
const off = { available: true, display_preference: { preference: 'off', value: 'off' } }
/** What the account has turned on in the Dashboard. */
const TURNED_ON = {
  card: on,
  us_bank_account: on,
  ideal: on,
  bancontact: on,
  sepa_debit: on,
  pix: on,
  klarna: off,
}

const LOOKUPS: readonly Omit<Route, 'method'>[] = [
  {
    path: '/v1/checkout/sessions',
    schema: SCHEMAS.sessionList,
    handle: ({ state, params }) =>
      listOf(only(views(state, state.sessions, viewSession), params, 'customer', 'payment_intent'), {
        url: '/v1/checkout/sessions',
        params,
      }),
  },
  {
    path: '/v1/checkout/sessions/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewSession(state, found(state.sessions, 'checkout.session', id)),
  },
  {
    path: '/v1/payment_intents',
    schema: SCHEMAS.intentList,
    handle: ({ state, params }) =>
      listOf(only(views(state, state.intents, viewIntent), params, 'customer'), {
        url: '/v1/payment_intents',
        params,
      }),
  },
  {
    path: '/v1/payment_intents/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewIntent(state, found(state.intents, 'payment_intent', id)),
  },
  {
    path: '/v1/setup_intents',
    schema: SCHEMAS.setupList,
    handle: ({ state, params }) =>
      listOf(only(views(state, state.setups, viewSetup), params, 'customer'), {
        url: '/v1/setup_intents',
        params,
      }),
  },
  {
    path: '/v1/setup_intents/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewSetup(state, found(state.setups, 'setup_intent', id)),
  },
  {
    path: '/v1/refunds',
    schema: SCHEMAS.refundList,
    handle: ({ state, params }) =>
      listOf(only(views(state, state.refunds, viewRefund), params, 'charge', 'payment_intent'), {
        url: '/v1/refunds',
        params,
      }),
  },
  {
    path: '/v1/refunds/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewRefund(state, found(state.refunds, 'refund', id)),
  },
  {
    path: '/v1/charges/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewCharge(state, found(state.charges, 'charge', id)),
  },
  {
    path: '/v1/disputes',
    schema: SCHEMAS.disputeList,
    handle: ({ state, params }) =>
      listOf(only(views(state, state.disputes, viewDispute), params, 'charge', 'payment_intent'), {
        url: '/v1/disputes',
        params,
      }),
  },
  {
    path: '/v1/disputes/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewDispute(state, found(state.disputes, 'dispute', id)),
  },
  { path: '/v1/account', schema: SCHEMAS.onlyExpand, handle: ({ state }) => viewAccount(state) },
  {
    path: '/v1/balance_transactions',
    schema: SCHEMAS.balanceList,
    handle: ({ state, params }) =>
      listOf(balancesOf(state, params), { url: '/v1/balance_transactions', params }),
  },
  {
    path: '/v1/payouts',
    schema: SCHEMAS.payoutList,
    handle: ({ state, params }) =>
      listOf(only(views(state, state.payouts, viewPayout), params, 'status'), { url: '/v1/payouts', params }),
  },
  {
    path: '/v1/balance_transactions/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewBalance(state, found(state.balances, 'balance transaction', id)),
  },
  {
    path: '/v1/customers',
    schema: SCHEMAS.customerList,
    handle: ({ state, params }) =>
      listOf(only(views(state, state.customers, viewCustomer), params, 'email'), {
        url: '/v1/customers',
        params,
      }),
  },
  {
    path: '/v1/customers/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewCustomer(state, found(state.customers, 'customer', id)),
  },
  {
    path: '/v1/payment_methods/:id',
    schema: SCHEMAS.onlyExpand,
    handle: ({ state, id }) => viewMethod(state, found(state.methods, 'PaymentMethod', id)),
  },
  { path: '/v1/events', schema: SCHEMAS.eventList, handle: listEvents },
  {
    path: '/v1/payment_method_configurations',
    schema: SCHEMAS.endpointList,
    handle: () => ({
      ...{ object: 'list', url: '/v1/payment_method_configurations', has_more: false },
      data: [{ object: 'payment_method_configuration', id: 'pmc_1', is_default: true, ...TURNED_ON }],
    }),
  },
  {
    path: '/v1/webhook_endpoints',
    schema: SCHEMAS.endpointList,
    handle: ({ state, params }) =>
      listOf(views(state, state.endpoints, viewEndpoint), { url: '/v1/webhook_endpoints', params }),
  },
]

export const READS: readonly Route[] = LOOKUPS.map((route) => ({
  ...route,
  method: 'GET',
  operation: 'read',
}))
