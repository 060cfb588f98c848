import type { PageAnswer } from '../../kit/request/answer.ts'
import { seeOther } from '../../kit/request/answer.ts'
import { Button, Field, Hidden } from '../../kit/html/controls.tsx'
import { isSetupOpen } from '../../../people/accounts/setup.ts'
import { cookieName, sessionCookie } from '../../../people/cookie.ts'
import { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import { endSession, findSession } from '../../../people/sessions/sessions.ts'
import { readSignInCookie } from '../../../people/sign-in/cookie.ts'
import { findPending, signIn, signInWithCode } from '../../../people/sign-in/sign-in.ts'
import { renderPlain } from '../../kit/frame/shell.tsx'
import type { OpenRequest, PersonRequest } from '../../kit/frame/request.ts'
import { afterStep } from './after-step.ts'
import { clientOf } from './client.ts'
import { OtherWays } from './other-ways.tsx'
import { PasskeyForm } from './passkey-form.tsx'

interface Problem {
  readonly text: string
  readonly email?: string | undefined
}

/** What the last page did, from `?note=`. */
const noteOf = ({ texts, call }: OpenRequest): string | undefined => {
  const { account } = texts
  const notes: Readonly<Record<string, string>> = {
    ended: account.ended,
    expired: account.expired,
    changed: account.changed,
    joined: account.joined,
    'second-factor-removed': account.secondFactorRemoved,
    'passkey-refused': account.passkeyRefused,
    'provider-refused': account.providerRefused,
  }
  return notes[call.query.note ?? '']
}

export async function showSignIn(request: OpenRequest): Promise<PageAnswer> {
  if (await isSetupOpen(request.ctx)) return seeOther('/console/setup')
  return renderSignIn(request)
}

function renderSignIn(request: OpenRequest, problem?: Problem, status = 200): PageAnswer {
  const { texts, call } = request
  const { account } = texts
  const note = noteOf(request)
  const next = call.form.get('next') ?? call.query.next ?? ''
  return renderPlain(request, {
    name: 'sign-in',
    title: account.title,
    status,
    flash: problem ? { kind: 'bad', text: problem.text } : note ? { kind: 'info', text: note } : undefined,
    children: (
      <div class="card">
        <form method="post" action="/console/sign-in" class="stack">
          <Hidden values={{ next }} />
          <Field
            id="email"
            name="email"
            type="email"
            label={account.email}
            autoComplete="username"
            value={problem?.email ?? ''}
            required
            ltr
          />
          <Field
            id="password"
            name="password"
            type="password"
            label={account.password}
            autoComplete="current-password"
            required
            ltr
          />
          <Button>{account.signIn}</Button>
          <p class="small">
            <a href="/console/forgot">{account.forgot}</a>
          </p>
        </form>
        <OtherWays next={next} />
      </div>
    ),
  })
}

export async function postSignIn(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const email = call.form.get('email') ?? ''
  const password = call.form.get('password') ?? ''
  const result = await signIn(ctx, { email, password }, clientOf(call))
  const { account } = request.texts
  if (result.kind === 'refused') return renderSignIn(request, { text: account.refused, email }, 401)
  if (result.kind === 'wait')
    return renderSignIn(request, { text: account.wait(String(result.seconds)), email }, 429)
  return afterStep(request, result)
}

export async function showCode(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const pending = await findPending(ctx, readSignInCookie(ctx, call.headers), clientOf(call))
  return pending ? renderCode(request, pending.personId) : seeOther('/console/sign-in?note=expired')
}

async function renderCode(
  request: OpenRequest,
  personId: string,
  problem?: string,
  status = 200,
): Promise<PageAnswer> {
  const { ctx, texts, call } = request
  const next = call.form.get('next') ?? call.query.next ?? ''
  const hasPasskeys = (await listPasskeys(ctx, personId)).length > 0
  const { account } = texts
  return renderPlain(request, {
    name: 'sign-in-code',
    title: account.codeTitle,
    status,
    flash: problem ? { kind: 'bad', text: problem } : undefined,
    children: (
      <div class="card">
        <form method="post" action="/console/sign-in/code" class="stack">
          <Hidden values={{ next }} />
          <Field
            id="code"
            name="code"
            label={account.code}
            hint={account.codeHint}
            autoComplete="one-time-code"
            maxLength={40}
            required
            ltr
          />
          <Button>{account.codeButton}</Button>
          <p class="small">
            <a href="/console/sign-in">{account.back}</a>
          </p>
        </form>
        {hasPasskeys && (
          <div class="ways">
            <PasskeyForm
              kind="get"
              action="/console/sign-in/code/passkey"
              options="/console/sign-in/code/passkey"
              button={account.withPasskey}
              hidden={{ next }}
            />
          </div>
        )}
      </div>
    ),
  })
}

export async function postCode(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call, texts } = request
  const token = readSignInCookie(ctx, call.headers)
  const pending = await findPending(ctx, token, clientOf(call))
  if (!token || !pending) return seeOther('/console/sign-in?note=expired')
  const { personId } = pending
  const result = await signInWithCode(ctx, { token, code: call.form.get('code') ?? '' }, clientOf(call))
  if (result.kind === 'refused') return renderCode(request, personId, texts.account.refusedCode, 401)
  if (result.kind === 'wait')
    return renderCode(request, personId, texts.account.wait(String(result.seconds)), 429)
  return afterStep(request, result)
}

export async function signOut({ ctx, person }: PersonRequest): Promise<PageAnswer> {
  await endSession(ctx, person.personId, person.sessionId)
  return { location: '/console/sign-in?note=ended', headers: { 'set-cookie': sessionCookie(ctx, '') } }
}

/** The start of the console: the first app, or the way there. */
export async function start({ ctx, call }: OpenRequest): Promise<PageAnswer> {
  if (await findSession(ctx, call.cookie(cookieName(ctx)))) return seeOther('/console/home')
  return seeOther((await isSetupOpen(ctx)) ? '/console/setup' : '/console/sign-in')
}

export function home({ app }: PersonRequest): PageAnswer {
  return seeOther(app ? `/console/${app.appId}/overview` : '/console/profile')
}
