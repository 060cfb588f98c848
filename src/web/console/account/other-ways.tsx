import { cookieName, sessionCookie } from '../../../people/cookie.ts'
import { hasOidc, openOidc, proveWithOidc, signInWithOidc, startOidc } from '../../../people/oidc/oidc.ts'
import { completeWithPasskey, signInWithPasskey, startPasskey } from '../../../people/passkeys/sign-in.ts'
import { findSession } from '../../../people/sessions/sessions.ts'
import { readSignInCookie, signInCookie } from '../../../people/sign-in/cookie.ts'
import { findPending } from '../../../people/sign-in/sign-in.ts'
import type { OpenRequest, PersonRequest } from '../../kit/frame/request.ts'
import { LinkButton } from '../../kit/html/controls.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useOpenRequest } from '../../kit/screen.tsx'
import { afterStep, clientOf, nextPage } from './client.ts'
import { jsonAnswer, PasskeyForm, passkeyAnswer } from './passkey-form.tsx'

/** Passkey and single sign-on, below the form of the sign-in page. */
export function OtherWays({ next }: { readonly next: string }) {
  const { ctx, texts } = useOpenRequest()
  return (
    <div class="ways">
      <PasskeyForm
        kind="get"
        action="/console/sign-in/passkey"
        options="/console/sign-in/passkey"
        button={texts.account.withPasskey}
        hidden={{ next }}
      />
      {hasOidc(ctx) && (
        <LinkButton kind="quiet" href={`/console/oidc/start?next=${encodeURIComponent(next)}`}>
          {texts.account.withProvider({ name: ctx.config.oidc?.name ?? '' })}
        </LinkButton>
      )}
    </div>
  )
}

export const passkeyOptions = async ({ ctx }: OpenRequest): Promise<PageAnswer> =>
  jsonAnswer(await startPasskey(ctx, { kind: 'sign-in' }))

const refused = (reason: string): PageAnswer => seeOther(`/console/sign-in?note=${reason}`)

export async function postPasskey(request: OpenRequest): Promise<PageAnswer> {
  const result = await signInWithPasskey(request.ctx, passkeyAnswer(request), clientOf(request.call))
  return 'token' in result ? afterStep(request, result) : refused('passkey-refused')
}

/** The passkeys of the person who has given the password. */
export async function codePasskeyOptions({ ctx, call }: OpenRequest): Promise<PageAnswer> {
  const token = readSignInCookie(ctx, call.headers)
  const pending = await findPending(ctx, token, clientOf(call))
  if (!token || !pending) return refused('expired')
  return jsonAnswer(await startPasskey(ctx, { kind: 'second-factor', token, personId: pending.personId }))
}

export async function postCodePasskey(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const token = readSignInCookie(ctx, call.headers) ?? ''
  const result = await completeWithPasskey(ctx, token, passkeyAnswer(request), clientOf(call))
  return 'token' in result ? afterStep(request, result) : refused('passkey-refused')
}

/** To the OpenID provider. A link, not a form: the content policy stops forms that lead to other hosts. */
export async function startSingleSignOn({ ctx, call }: OpenRequest): Promise<PageAnswer> {
  const { url, cookie } = await startOidc(ctx, undefined, nextPage(call.query.next))
  return { location: url, headers: { 'set-cookie': signInCookie(ctx, cookie) } }
}

export async function startProofAtProvider({ ctx, call, person }: PersonRequest): Promise<PageAnswer> {
  const { url, cookie } = await startOidc(ctx, person, nextPage(call.query.next))
  return { location: url, headers: { 'set-cookie': signInCookie(ctx, cookie) } }
}

/** Back from the OpenID provider, to sign in or for a fresh proof. */
export async function singleSignOnCallback(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const cookie = readSignInCookie(ctx, call.headers) ?? ''
  const flow = openOidc(ctx, cookie)
  if (!flow) return refused('expired')
  const answer = { cookie, query: call.path.split('?')[1] ?? '' }
  const next = nextPage(flow.next)
  if (!flow.isProof) {
    const result = await signInWithOidc(ctx, answer, clientOf(call))
    return 'token' in result ? afterStep(request, result, next) : refused('provider-refused')
  }
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  if (!person) return refused('expired')
  const token = await proveWithOidc(ctx, person, answer, clientOf(call))
  if (token === undefined) return seeOther(`/console/profile/proof?next=${encodeURIComponent(next)}`)
  return {
    location: next,
    headers: { 'set-cookie': [sessionCookie(ctx, token), signInCookie(ctx, undefined)] },
  }
}
