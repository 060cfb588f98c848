import { createHmac } from 'node:crypto'
import type { SignedNotification } from '../../kit/simulator.ts'
import { newId, randomText, type State, type StoredEvent, seconds } from './state.ts'
import { viewEvent } from './view-money.ts'

/** Records an event with the object as it is now, and queues it for the endpoints. */
export function emit(state: State, type: string, object: unknown, key?: string): void {
  const event: StoredEvent = {
    id: newId('evt'),
    type,
    created: seconds(state),
    object: structuredClone(object),
    key,
  }
  state.events.push(event)
  state.outbox.push(event)
}

/** One v1 signature for each secret. Test mode adds a v0 signature that means nothing. */
function signatureHeader(secrets: readonly string[], at: number, body: string): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`, 'utf8').digest('hex')}`,
  )
  return [`t=${at}`, ...signatures, `v0=${createHmac('sha256', 'v0').update(body).digest('hex')}`].join(',')
}

/** Takes the queued events off the queue, signed for every endpoint that wants them. */
export function drain(state: State): SignedNotification[] {
  const taken = state.outbox.splice(0)
  const at = seconds(state)
  return taken.flatMap((event) =>
    [...state.endpoints.values()]
      .filter(({ events }) => events.includes('*') || events.includes(event.type))
      .map(({ url, secrets }) => {
        const body = JSON.stringify(viewEvent(event), null, 2)
        const headers = {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signatureHeader(secrets, at, body),
        }
        return { url, headers, body }
      }),
  )
}

export const newSecret = (): string => `whsec_${randomText(32)}`
