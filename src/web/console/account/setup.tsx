import { ApiError } from '../../../base/errors.ts'
import { hasLicense } from '../../../merchants/licenses/commands.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { seeOther } from '../../kit/request/answer.ts'
import { Button, Field, Hidden } from '../../kit/html/controls.tsx'
import { createOwner, isSetupOpen, opensSetup } from '../../../people/accounts/setup.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import { renderPlain } from '../../kit/frame/shell.tsx'
import type { OpenRequest } from '../../kit/frame/request.ts'
import { errorsByField } from '../../kit/refusal.ts'
import { clientOf } from './client.ts'
import { useOpenRequest } from '../../kit/screen.tsx'

/** The first start: creates the owner. It is open while there are no people. */
export async function showSetup(request: OpenRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, call, texts } = request
  const { account } = texts
  if (!(await isSetupOpen(ctx))) return seeOther('/console/sign-in')
  const token = call.form.get('token') ?? call.query.token ?? ''
  // In production the form asks for the operator token: an address stays in histories and access logs.
  const asks = ctx.config.production
  if (asks ? ctx.config.operatorToken === undefined : !opensSetup(ctx, token))
    return renderPlain(request, {
      name: 'setup',
      title: account.setupWrong,
      status: 403,
      children: <p>{asks ? account.setupNoToken : account.setupWrongBody}</p>,
    })
  const wrong = errorsByField(problem)
  return renderPlain(request, {
    name: 'setup',
    title: account.setupTitle,
    status: problem?.status ?? 200,
    flash: problem && wrong.size === 0 ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <SetupForm token={asks ? undefined : token} needsLicense={!(await hasLicense(ctx))} problem={problem} />
    ),
  })
}

interface SetupFormProps {
  /** Of the link in development; undefined: the operator token is asked for. */
  readonly token: string | undefined
  /** There is no licence yet: its name is asked for too. */
  readonly needsLicense: boolean
  readonly problem: ApiError | undefined
}

function SetupForm({ token, needsLicense, problem }: SetupFormProps) {
  const request = useOpenRequest()
  const { account } = request.texts
  const wrong = errorsByField(problem)
  const kept = (name: string) => request.call.form.get(name) ?? ''
  return (
    <form method="post" action="/console/setup" class="stack card">
      <p>{account.setupIntro}</p>
      {token === undefined ? <TokenField /> : <Hidden values={{ token }} />}
      {needsLicense && (
        <Field
          id="license"
          name="licenseName"
          label={account.licenseName}
          value={kept('licenseName')}
          required
        />
      )}
      <Field
        id="name"
        name="name"
        label={account.name}
        autoComplete="name"
        value={kept('name')}
        required
        {...wrong.for('name')}
      />
      <Field
        id="email"
        name="email"
        type="email"
        label={account.email}
        autoComplete="username"
        value={kept('email')}
        required
        ltr
        {...wrong.for('email')}
      />
      <Field
        id="password"
        name="password"
        type="password"
        label={account.password}
        hint={account.passwordHint}
        autoComplete="new-password"
        required
        ltr
        {...wrong.for('password')}
      />
      <Button>{account.createAccount}</Button>
    </form>
  )
}

/** Never filled in: the page must not contain the token. */
function TokenField() {
  const request = useOpenRequest()
  const { account } = request.texts
  return (
    <Field
      id="token"
      name="token"
      type="password"
      label={account.operatorToken}
      hint={account.operatorTokenHint}
      autoComplete="off"
      required
      ltr
    />
  )
}

export async function postSetup(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const field = (name: string) => call.form.get(name) ?? ''
  try {
    const { sessionToken } = await createOwner(
      ctx,
      {
        token: field('token'),
        email: field('email'),
        name: field('name') || (field('email').split('@')[0] ?? ''),
        password: field('password'),
        licenseName: field('licenseName'),
      },
      clientOf(call),
    )
    return { location: '/console/home', headers: { 'set-cookie': sessionCookie(ctx, sessionToken) } }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return showSetup(request, error)
    throw error
  }
}
