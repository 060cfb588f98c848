import { authenticate } from './world/flows.ts'
import { submit } from './world/sessions.ts'
import type { Session, State } from './world/state.ts'

export interface PageReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const html = (status: number, title: string, body: string): PageReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`,
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const CODES = [
  'generic_decline',
  'insufficient_funds',
  'lost_card',
  'expired_card',
  'incorrect_cvc',
  'fraudulent',
]

function payPage(session: Session, problem = ''): PageReply {
  const verb = session.mode === 'setup' ? 'Save' : 'Pay'
  const back = session.cancelUrl ? `<p><a href="${escaped(session.cancelUrl)}">Cancel</a></p>` : ''
  const options = CODES.map((code) => `<option>${code}</option>`).join('')
  const amount = session.amount === null ? '' : `<p>${session.amount} ${session.currency}</p>`
  const save = session.offersSaving
    ? '<label><input type="checkbox" name="save" value="yes">Save my details</label>'
    : ''
  return html(
    200,
    'Stripe Checkout',
    `${problem ? `<p role="alert">${escaped(problem)}</p>` : ''}<p>${escaped(session.itemName)}</p>${amount}
<form method="post"><input type="hidden" name="session" value="${session.id}">${save}
<button name="act" value="pay">${verb}</button>
<button name="act" value="challenge">${verb} with authentication</button>
<label>Code<select name="code">${options}</select></label>
<button name="act" value="decline">Decline</button></form>${back}`,
  )
}

const challengePage = (): PageReply =>
  html(
    200,
    '3D Secure',
    `<form method="post"><button name="act" value="authenticate">Complete authentication</button>
<button name="act" value="fail-authentication">Fail authentication</button></form>`,
  )

const seeOther = (location: string): PageReply => ({ status: 303, headers: { location }, body: '' })

const done = (session: Session): PageReply =>
  seeOther(session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id))

/** Serves `/3ds/{payment intent}`, where the bank asks the payer to confirm. */
function serveChallenge(state: State, method: string, path: string, body: string): PageReply {
  const intent = state.intents.get(path.slice('/3ds/'.length))
  if (!intent?.returnUrl) return html(404, 'Something went wrong', '<p>The page could not be found.</p>')
  if (intent.status === 'requires_action' && method !== 'POST') return challengePage()
  if (intent.status === 'requires_action')
    authenticate(state, intent, new URLSearchParams(body).get('act') === 'authenticate')
  return seeOther(intent.returnUrl)
}

/** Serves `/c/pay/{session}` and `/3ds/{payment intent}`. */
export function servePage(state: State, method: string, path: string, body: string): PageReply {
  if (path.startsWith('/3ds/')) return serveChallenge(state, method, path, body)
  const session = state.sessions.get(path.slice('/c/pay/'.length))
  if (!session) return html(404, 'Something went wrong', '<p>The page could not be found.</p>')
  if (session.status === 'complete') return done(session)
  if (session.status === 'expired' || session.expiresAt * 1_000 <= state.now())
    return html(410, 'This link has expired', '<p>Your Checkout Session has expired.</p>')
  if (method !== 'POST') return payPage(session)
  const form = new URLSearchParams(body)
  const saves = form.get('save') === 'yes'
  switch (form.get('act')) {
    case 'challenge':
      return challengePage()
    case 'authenticate':
      return submit(state, session, { authenticated: true, saves }) ? done(session) : payPage(session)
    case 'fail-authentication':
      submit(state, session, { declines: 'payment_intent_authentication_failure' })
      return payPage(session, 'We are unable to authenticate your payment method.')
    case 'decline':
      return submit(state, session, { declines: form.get('code') || 'generic_decline' })
        ? done(session)
        : payPage(session, 'Your card was declined.')
    default:
      if (session.challenges) return challengePage()
      return submit(state, session, { saves }) ? done(session) : payPage(session, 'Your card was declined.')
  }
}
