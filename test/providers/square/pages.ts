import type { SimulatedReply } from '../kit/simulator.ts'
import { payOrder, payPart } from './money.ts'
import type { Link, State } from './state.ts'

/** The page of a payment link. */

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)

const page = (status: number, content: string): SimulatedReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Square</title><h1>Square</h1>${content}`,
})

const button = (act: string, label: string): string =>
  `<form method="post"><button name="act" value="${act}">${label}</button></form>`

export function servePage(state: State, method: string, path: string, body: string): SimulatedReply {
  const link = state.links.get(/^\/u\/(\w+)$/.exec(path)?.[1] ?? '')
  if (!link) return page(404, '<p>This page does not exist.</p>')
  const { order } = link
  if (order.state !== 'DRAFT') return page(410, '<p>This order was paid.</p>')
  if (method === 'POST') return acted(state, link, Object.fromEntries(new URLSearchParams(body)))
  const { amount, currency } = order.total
  const what = `<p>${amount} ${currency} ${escaped(order.name)}</p>`
  return page(200, what + button('pay', 'Pay') + button('decline', 'Decline'))
}

/** Square sends the customer back with the ids of the order and the payment. */
function acted(state: State, link: Link, { act, code, percent }: Record<string, string>): SimulatedReply {
  const { order, note, returnUrl } = link
  if (act === 'decline') {
    payOrder(state, order, note, code ?? 'GENERIC_DECLINE')
    return page(200, `<p role="alert">The card was declined.</p>${button('pay', 'Pay')}`)
  }
  if (percent !== undefined) {
    payPart(state, order, note, Number(percent))
    return page(200, `<p>Pay the rest.</p>${button('pay', 'Pay')}`)
  }
  const payment = payOrder(state, order, note)
  const back = new URL(returnUrl ?? `${state.origin()}/thanks`)
  back.searchParams.set('orderId', order.id)
  back.searchParams.set('transactionId', payment.id)
  return { status: 303, headers: { location: back.href }, body: '' }
}
