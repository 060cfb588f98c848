import type { SimulatedReply } from '../kit/simulator.ts'
import { end, fail, pay } from './money.ts'
import type { Payment, State } from './state.ts'

/** The hosted checkout. It sends the payer back by itself. */

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)

const page = (status: number, content: string): SimulatedReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mollie</title><h1>Mollie</h1>${content}`,
})

const button = (act: string, label: string): string =>
  `<form method="post"><button name="act" value="${act}">${label}</button></form>`

export function servePage(state: State, method: string, path: string, body: string): SimulatedReply {
  const payment = state.payments.get(/^\/checkout\/(tr_[A-Za-z0-9]+)$/.exec(path)?.[1] ?? '')
  if (!payment) return page(404, 'Not found')
  if (payment.status !== 'open') return back(payment.body.redirectUrl)
  if (method === 'POST') return acted(state, payment, Object.fromEntries(new URLSearchParams(body)))
  payment.isOpened = true
  const { amount, description } = payment.body
  return page(
    200,
    `<p>${amount.value} ${amount.currency} ${escaped(description)}</p>` +
      button('pay', 'Pay') +
      button('decline', 'Decline') +
      button('cancel', 'Cancel'),
  )
}

const back = (location = ''): SimulatedReply => ({ status: 303, headers: { location }, body: '' })

function acted(state: State, payment: Payment, form: Record<string, string>): SimulatedReply {
  const { redirectUrl, cancelUrl = redirectUrl } = payment.body
  const { act, code = 'card_declined' } = form
  payment.isOpened = true
  if (act === 'pay') pay(state, payment)
  else if (act === 'decline') fail(state, payment, code)
  else end(state, payment, 'canceled')
  return back(act === 'cancel' ? cancelUrl : redirectUrl)
}
