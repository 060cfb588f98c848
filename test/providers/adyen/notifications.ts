import { createHmac } from 'node:crypto'
import type { SignedNotification } from '../kit/simulator.ts'
import type { Item, State } from './state.ts'

/** Signs one item with a key: eight members, joined by colons. */
function signatureOf(item: Item, account: string, key: string): string {
  const { pspReference, originalReference = '', merchantReference, amount, eventCode, success } = item
  const parts = [pspReference, originalReference, account, merchantReference]
  const text = [...parts, amount.value, amount.currency, eventCode, success].join(':')
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text, 'utf8').digest('base64')
}

/** One call with these items. */
export function bodyOf({ account }: Pick<State, 'account'>, items: readonly Item[], key: string): string {
  const notificationItems = items.map((item) => ({
    NotificationRequestItem: {
      ...item,
      merchantAccountCode: account,
      additionalData: { ...item.additionalData, hmacSignature: signatureOf(item, account, key) },
    },
  }))
  return JSON.stringify({ live: 'false', notificationItems })
}

/** Events that every webhook gets. The others have to be turned on. */
const DEFAULT_EVENTS: readonly string[] = [
  ...['AUTHORISATION', 'AUTHORISATION_ADJUSTMENT', 'CANCELLATION', 'CANCEL_OR_REFUND', 'CAPTURE', 'REFUND'],
  ...['CAPTURE_FAILED', 'REFUND_FAILED', 'REFUNDED_REVERSED', 'REPORT_AVAILABLE', 'ORDER_OPENED'],
  ...['ORDER_CLOSED'],
]

/** Everything that waits, for every webhook that wants it. Adyen sends one item in each call. */
export function takeNotifications(state: State): SignedNotification[] {
  const items = state.queue.splice(0)
  return items.flatMap((item) =>
    [...state.endpoints.values()].flatMap(({ url, keys: [key], events }) =>
      key === undefined || !(DEFAULT_EVENTS.includes(item.eventCode) || events.includes(item.eventCode))
        ? []
        : [{ url, headers: { 'content-type': 'application/json' }, body: bodyOf(state, [item], key) }],
    ),
  )
}
