import { createHmac } from 'node:crypto'
import type { SignedNotification } from '../kit/simulator.ts'
import { type Event, iso, newId, type State } from './state.ts'

const bodyOf = ({ type, id, object, at }: Event): string =>
  JSON.stringify({
    ...{ merchant_id: 'ML8SIMULATED', type, event_id: newId(32), created_at: iso(at) },
    data: { type: type.split('.')[0], id, object },
  })

/** The signature is of the address that was registered, followed by the body. */
export function signed(url: string, key: string, body: string): SignedNotification {
  const signature = createHmac('sha256', key).update(`${url}${body}`).digest('base64')
  const headers = { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature }
  return { url, headers, body }
}

/** Everything that waits, for every subscription that has the event. */
export function takeNotifications(state: State): SignedNotification[] {
  return state.queue
    .splice(0)
    .flatMap((event) =>
      [...state.subscriptions.values()]
        .filter(({ events }) => events.includes(event.type))
        .map(({ url, key }) => signed(url, key, bodyOf(event))),
    )
}
