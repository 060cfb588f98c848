import { type Answer, at, type Call, error, ID, missing, ok, type Route } from './route.ts'
import * as schemas from './schemas.ts'
import { newId, type Subscription } from './state.ts'
import { cardView, disputeView, subscriptionView } from './views.ts'

/** Customers, stored cards, disputes and webhook subscriptions. */

function createCustomer({ state, body }: Call): Answer {
  const { idempotency_key: _key, ...given } = body
  const names = ['given_name', 'family_name', 'company_name', 'email_address', 'phone_number']
  if (!names.some((name) => name in given)) return error(400, 'MISSING_REQUIRED_PARAMETER')
  const customer = { id: newId(26).toUpperCase(), ...given, version: 0 }
  state.customers.set(customer.id, customer)
  return ok({ customer })
}

function searchCustomers({ state, body }: Call): Answer {
  const { query } = body as { query: { filter: { reference_id: { exact: string } } } }
  const customers = [...state.customers.values()].filter(
    ({ reference_id: own }) => own === query.filter.reference_id.exact,
  )
  return ok(customers.length > 0 ? { customers } : {})
}

function readLocation({ state, id }: Call): Answer {
  if (id !== state.location) return missing('The location')
  const usual = { id, name: 'Shop', status: 'ACTIVE', merchant_id: 'MLSIMULATED01', currency: 'EUR' }
  const capabilities = ['CREDIT_CARD_PROCESSING', 'AUTOMATIC_TRANSFERS']
  return ok({ location: { ...usual, capabilities, ...state.about } })
}

/** From a payment that was made. */
function createCard({ state, body }: Call): Answer {
  const { source_id, card: wanted } = body as {
    source_id: string
    card: { customer_id: string; reference_id?: string }
  }
  const payment = state.payments.get(source_id)
  const isPaid = payment?.status === 'COMPLETED' || payment?.status === 'APPROVED'
  if (!isPaid) return error(400, 'INVALID_CARD_DATA')
  if (!state.customers.has(wanted.customer_id)) return error(404, 'CUSTOMER_NOT_FOUND')
  const card = {
    ...{ id: `ccof:${newId(22)}`, customer: wanted.customer_id, reference: wanted.reference_id },
    isEnabled: true,
  }
  state.cards.set(card.id, card)
  return ok({ card: cardView(card) })
}

function disableCard({ state, id }: Call): Answer {
  const card = state.cards.get(decodeURIComponent(id))
  if (!card) return missing('The card')
  card.isEnabled = false
  return ok({ card: cardView(card) })
}

/** One on each page, so that the cursor is used. */
function listDisputes({ state, query }: Call): Answer {
  if (query.get('location_id') !== state.location) return error(400, 'INVALID_LOCATION')
  const place = Number(query.get('cursor') ?? 0)
  const found = state.disputes.slice(place, place + 1)
  const isLast = place + 1 >= state.disputes.length
  return ok({
    ...(found.length > 0 ? { disputes: found.map((one) => disputeView(state, one)) } : {}),
    ...(isLast ? {} : { cursor: String(place + 1) }),
  })
}

function readDispute({ state, id }: Call): Answer {
  const found = state.disputes.find((one) => one.id === id)
  return found ? ok({ dispute: disputeView(state, found) }) : missing('The dispute')
}

function createSubscription({ state, body }: Call): Answer {
  const { subscription: wanted } = body as {
    subscription: { name: string; event_types: string[]; notification_url: string }
  }
  const { name, event_types: events, notification_url: url } = wanted
  const made: Subscription = { id: newId(32, 'wbhk_'), name, url, events, key: newId(22) }
  state.subscriptions.set(made.id, made)
  return ok({ subscription: subscriptionView(made, true) })
}

function changeSubscription({ state, id, body }: Call): Answer {
  const found = state.subscriptions.get(id)
  if (!found) return missing('The subscription')
  found.events = (body as { subscription: { event_types: string[] } }).subscription.event_types
  return ok({ subscription: subscriptionView(found, false) })
}

const HOOKS = '/webhooks/subscriptions'

export const OTHER_ROUTES: readonly Route[] = [
  { method: 'POST', pattern: at('/customers'), check: schemas.CUSTOMER, run: createCustomer },
  { method: 'POST', pattern: at('/customers/search'), check: schemas.SEARCH, run: searchCustomers },
  { method: 'GET', pattern: at(`/locations/${ID}`), run: readLocation },
  { method: 'PUT', pattern: at(`${HOOKS}/${ID}`), check: schemas.CHANGED, run: changeSubscription },
  { method: 'POST', pattern: at('/cards'), check: schemas.CARD, run: createCard },
  { method: 'POST', pattern: at(`/cards/${ID}/disable`), run: disableCard },
  { method: 'GET', pattern: at('/disputes'), query: ['location_id', 'cursor'], run: listDisputes },
  { method: 'GET', pattern: at(`/disputes/${ID}`), run: readDispute },
  {
    ...{ method: 'GET', pattern: at(HOOKS), query: ['limit', 'cursor'] },
    run: ({ state }) =>
      ok({ subscriptions: [...state.subscriptions.values()].map((one) => subscriptionView(one, false)) }),
  },
  { method: 'POST', pattern: at(HOOKS), check: schemas.SUBSCRIPTION, run: createSubscription },
  {
    ...{ method: 'GET', pattern: at(`${HOOKS}/${ID}`) },
    run({ state, id }) {
      const found = state.subscriptions.get(id)
      return found ? ok({ subscription: subscriptionView(found, true) }) : missing('The subscription')
    },
  },
]
