import { isSetupOpen } from '../../../people/accounts/setup.ts'
import { cookieName, sessionCookie } from '../../../people/cookie.ts'
import { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import { endSession, findSession } from '../../../people/sessions/sessions.ts'
import { readSignInCookie } from '../../../people/sign-in/cookie.ts'
import { findPending, type SignInResult, signIn, signInWithCode } from '../../../people/sign-in/sign-in.ts'
import type { OpenRequest, PersonRequest } from '../../kit/frame/request.ts'
import { renderPlain } from '../../kit/frame/shell.tsx'
import { Button, Field, Hidden } from '../../kit/html/controls.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { noteOf } from '../../kit/screen.tsx'
import { afterStep, clientOf } from './client.ts'
import { EmailField } from './fields.tsx'
import { OtherWays } from './other-ways.tsx'
import { PasskeyForm } from './passkey-form.tsx'

/** Why the last step was refused. */
interface Refusal {
  readonly status: number
  readonly text: string
}

/** Undefined: the step is done. */
function refusalOf(
  { texts: { account } }: OpenRequest,
  result: SignInResult,
  errors: string,
): Refusal | undefined {
  if (result.kind === 'refused') return { status: 401, text: errors }
  if (result.kind === 'wait') return { status: 429, text: account.wait({ seconds: String(result.seconds) }) }
  return undefined
}

const nextOf = ({ call }: OpenRequest): string => call.form.get('next') ?? call.query.next ?? ''

export async function showSignIn(request: OpenRequest): Promise<PageAnswer> {
  if (await isSetupOpen(request.ctx)) return seeOther('/console/setup')
  return renderSignIn(request)
}

function renderSignIn(request: OpenRequest, refusal?: Refusal): PageAnswer {
  const { texts, call } = request
  const { account } = texts
  const note = noteOf(request, 'account')
  const next = nextOf(request)
  return renderPlain(request, {
    name: 'sign-in',
    title: account.title,
    status: refusal?.status ?? 200,
    flash: refusal ? { kind: 'bad', text: refusal.text } : note && { ...note, kind: 'info' },
    children: (
      <div class="card">
        <form method="post" action="/console/sign-in" class="stack">
          <Hidden values={{ next }} />
          <EmailField value={call.form.get('email') ?? ''} />
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
  const { ctx, call, texts } = request
  const given = { email: call.form.get('email') ?? '', password: call.form.get('password') ?? '' }
  const result = await signIn(ctx, given, clientOf(call))
  return 'token' in result
    ? afterStep(request, result)
    : renderSignIn(request, refusalOf(request, result, texts.account.refused))
}

export async function showCode(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const pending = await findPending(ctx, readSignInCookie(ctx, call.headers), clientOf(call))
  return pending ? renderCode(request, pending.personId) : seeOther('/console/sign-in?note=expired')
}

async function renderCode(request: OpenRequest, personId: string, refusal?: Refusal): Promise<PageAnswer> {
  const { ctx, texts } = request
  const next = nextOf(request)
  const hasPasskeys = (await listPasskeys(ctx, personId)).length > 0
  const { account } = texts
  return renderPlain(request, {
    name: 'sign-in-code',
    title: account.codeTitle,
    status: refusal?.status ?? 200,
    flash: refusal && { kind: 'bad', text: refusal.text },
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
  const result = await signInWithCode(ctx, { token, code: call.form.get('code') ?? '' }, clientOf(call))
  return 'token' in result
    ? afterStep(request, result)
    : renderCode(request, pending.personId, refusalOf(request, result, texts.account.refusedCode))
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
