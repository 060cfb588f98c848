import type { InMemory, PayerAct, SimulatedReply } from '../kit/simulator.ts'
import { approve, findOrder } from './orders.ts'
import { APPROVAL_PAGE, findSetup } from './vault/setup.ts'
import { PAYER } from './views.ts'
import { moneyOf, type Order, type World } from './world.ts'

/** The page where a payer approves an order. */

const PAGE = '/checkoutnow'
const ACTS = ['pay', 'challenge', 'decline', 'cancel'] as const
type Act = (typeof ACTS)[number]

export const isPage = ({ pathname }: URL): boolean => pathname === PAGE || pathname === APPROVAL_PAGE

interface PageCall {
  readonly method: string
  readonly url: URL
  readonly rawBody: string
}

export function showPage(world: World, call: PageCall): SimulatedReply {
  if (call.url.pathname === APPROVAL_PAGE) return showApproval(world, call)
  const { method, url, rawBody } = call
  const form = new URLSearchParams(rawBody)
  const isPosted = method === 'POST'
  const order = findOrder(world, (isPosted ? form : url.searchParams).get('token') ?? '')
  const act = ACTS.find((one) => one === form.get('act'))
  if (!order?.pages || order.status === 'COMPLETED') return html(404, '<h1>This order cannot be paid</h1>')
  if (!isPosted) return html(200, formOf(order))
  if (!act) return html(400, '<h1>No such action</h1>')
  if (act === 'challenge') return html(200, challengeOf(order))
  const location = perform(world, order, { act, code: form.get('code') || undefined })
  return { status: 303, headers: { location }, body: '' }
}

/** The page where a payer agrees to store a wallet. */
function showApproval(world: World, { method, url, rawBody }: PageCall): SimulatedReply {
  const form = new URLSearchParams(rawBody)
  const isPosted = method === 'POST'
  const id = isPosted ? form.get('token') : url.searchParams.get('approval_session_id')
  const setup = findSetup(world, id ?? '')
  const act = ACTS.find((one) => one === form.get('act'))
  if (setup?.status !== 'PAYER_ACTION_REQUIRED') return html(404, '<h1>This page is closed</h1>')
  const hidden = `<input type="hidden" name="token" value="${setup.id}">`
  if (!isPosted || act === 'challenge')
    return html(
      200,
      `<h1>Save PayPal</h1><form method="post" action="${APPROVAL_PAGE}">${hidden}
<button name="act" value="pay">Agree</button> <button name="act" value="decline">Decline</button>
<label>Issue <input name="code"></label> <button name="act" value="cancel">Cancel</button></form>`,
    )
  if (!act) return html(400, '<h1>No such action</h1>')
  if (act !== 'cancel') {
    setup.status = 'APPROVED'
    if (act === 'decline') setup.declines = form.get('code') || 'PAYER_CANNOT_PAY'
  }
  const { returnUrl, cancelUrl } = setup.pages
  const back = new URL(act === 'cancel' ? cancelUrl : returnUrl)
  back.searchParams.set('approval_token_id', setup.id)
  return { status: 303, headers: { location: back.href }, body: '' }
}

/** What PayPal declines an order with that the payer approved. */
const DECLINES = { CAPTURE: 'INSTRUMENT_DECLINED', AUTHORIZE: 'PAYER_CANNOT_PAY' } as const

function perform(world: World, order: Order, { act, code }: { act: Act; code: string | undefined }): string {
  const { returnUrl, cancelUrl } = order.pages ?? { returnUrl: '/', cancelUrl: '/' }
  const back = new URL(act === 'cancel' ? cancelUrl : returnUrl)
  back.searchParams.set('token', order.id)
  if (act === 'cancel') return back.href
  approve(world, order, act === 'decline' ? (code ?? DECLINES[order.intent]) : undefined)
  back.searchParams.set('PayerID', PAYER.payer_id)
  return back.href
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

function formOf(order: Order): string {
  const { value, currency_code } = moneyOf(order.amount)
  const stores = order.storesMethod ? '<p>Your PayPal account is saved for future payments.</p>' : ''
  return `<h1>Pay with PayPal</h1><p>${escaped(`${value} ${currency_code}`)}</p>${stores}
<form method="post" action="${PAGE}"><input type="hidden" name="token" value="${order.id}">
<button name="act" value="pay">Pay</button>
<button name="act" value="challenge">Pay with a confirmation</button>
<label>Issue <input name="code" placeholder="${DECLINES[order.intent]}"></label>
<button name="act" value="decline">Decline</button>
<button name="act" value="cancel">Cancel</button></form>`
}

const challengeOf = (order: Order): string => `<h1>Confirm that it is you</h1>
<form method="post" action="${PAGE}"><input type="hidden" name="token" value="${order.id}">
<button name="act" value="pay">Confirm</button> <button name="act" value="cancel">Cancel</button></form>`

const html = (status: number, content: string): SimulatedReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><head><title>PayPal</title></head><body>${content}</body></html>`,
})

const FORM_ACTS: Readonly<Record<Exclude<PayerAct['kind'], 'pay-part' | 'pay-again'>, readonly Act[]>> = {
  pay: ['pay'],
  save: ['pay'],
  decline: ['decline'],
  challenge: ['challenge', 'pay'],
  abandon: ['cancel'],
}

/** Posts the forms that a payer in a browser would post. */
export async function actOnPage(
  handle: InMemory['handle'],
  pageUrl: string,
  act: PayerAct,
): Promise<string | undefined> {
  if (act.kind === 'pay-part' || act.kind === 'pay-again')
    throw new Error('PayPal payers pay the whole amount once')
  const page = await handle({ method: 'GET', url: new URL(pageUrl), headers: {}, body: '' })
  const token = /name="token" value="([A-Z0-9]+)"/.exec(page.body)?.[1]
  if (page.status !== 200 || token === undefined) throw new Error(`the page answers ${page.status}`)
  const code = act.kind === 'decline' ? (act.code ?? '') : ''
  let location: string | undefined
  for (const one of FORM_ACTS[act.kind]) {
    const body = new URLSearchParams({ token, act: one, code }).toString()
    const form = new URL(new URL(pageUrl).pathname, pageUrl)
    const posted = await handle({ method: 'POST', url: form, headers: {}, body })
    if (posted.status !== 303 && posted.status !== 200) throw new Error(`the form answers ${posted.status}`)
    location = posted.headers.location
  }
  return location
}
