import type { SimulatedReply } from '../kit/simulator.ts'
import { authorise, refuse } from './money.ts'
import { refusalText } from './routes.ts'
import type { Link, State } from './state.ts'

/** The page of a payment link. */

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)

const page = (status: number, content: string): SimulatedReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Adyen</title><h1>Adyen</h1>${content}`,
})

const button = (act: string, label: string): string =>
  `<form method="post"><button name="act" value="${act}">${label}</button></form>`

export function servePage(state: State, method: string, path: string, body: string): SimulatedReply {
  const link = state.links.get(/^\/pay\/([A-Z0-9]+)$/.exec(path)?.[1] ?? '')
  if (!link) return page(404, 'Not found')
  if (method === 'POST') return acted(state, link, Object.fromEntries(new URLSearchParams(body)))
  if (link.status === 'expired') return page(410, '<p>The payment link has expired.</p>')
  if (link.status !== 'active') return page(200, done(link))
  const { amount, description = '' } = link.body
  return page(
    200,
    `<p>${amount.value} ${amount.currency} ${escaped(String(description))}</p>` +
      button('pay', 'Pay') +
      button('decline', 'Decline'),
  )
}

const done = ({ body: { returnUrl } }: Link): string =>
  `<p>The payment was made.</p>${returnUrl ? `<a href="${escaped(returnUrl)}">Continue</a>` : ''}`

/** How a notification names what was paid with. */
const BRANDS: Readonly<Record<string, string>> = {
  ...{ scheme: 'visa', applepay: 'visa_applepay', googlepay: 'visa_googlepay' },
}

/** How a notification tells what came of the wish for a challenge, or for none. */
const SECURED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '02': { scaExemptionRequested: 'transactionRiskAnalysis', liabilityShift: 'false' },
  '04': {
    ...{ threeDOffered: 'true', threeDOfferedResponse: 'C', threeDSVersion: '2.2.0' },
    ...{ threeDAuthenticated: 'true', threeDAuthenticatedResponse: 'Y', liabilityShift: 'true' },
  },
}

function acted(
  state: State,
  link: Link,
  { act, code = '2', review }: Record<string, string>,
): SimulatedReply {
  if (link.status !== 'active') return page(410, '<p>The payment link is not active.</p>')
  const { reference, amount, allowedPaymentMethods = ['scheme'], shopperReference } = link.body
  const [type = 'scheme'] = allowedPaymentMethods
  const method = BRANDS[type] ?? type
  // The account captures by hand unless a link says otherwise.
  const isTaken = link.body.captureDelayHours === 0
  const wanted = { reference, amount, method, linkId: link.id, isTaken } as const
  if (act === 'decline') {
    refuse(state, { ...wanted, reason: refusalText(code) })
    return page(200, `<p>The payment was refused.</p>${button('pay', 'Pay')}`)
  }
  const stores = link.body.storePaymentMethodMode === 'enabled'
  link.status = 'completed'
  const { threeDSRequestorChallengeInd: wish } = link.body.threeDS2RequestData ?? {}
  authorise(state, {
    ...wanted,
    ...(stores ? { shopper: shopperReference } : {}),
    secured: SECURED[wish ?? ''] ?? {},
    ...(review === 'yes' ? { review: true } : {}),
  })
  return page(200, done(link))
}
