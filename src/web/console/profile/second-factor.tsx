import { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { Qr } from '../../kit/html/qr.tsx'
import { sessionCookie } from '../../../people/cookie.ts'
import {
  activateTotp,
  deactivateTotp,
  type PreparedTotp,
  preparedSecondFactor,
  prepareSecondFactor,
  renewRecoveryCodes,
} from '../../../people/totp/commands.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { errorsByField } from '../../kit/refusal.ts'
import { Question, Form } from '../../kit/html/forms.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { crumbs, PROFILE } from './page.tsx'
import { cameFrom, fromOf, withFrom } from './protect.tsx'

const SECOND_FACTOR = `${PROFILE}/second-factor`

/** Each visit makes a new secret, which is used only after its first code. */
export async function showSetUp(request: PersonRequest): Promise<PageAnswer> {
  if (request.person.hasSecondFactor) return seeOther(cameFrom(request))
  return renderSetUp(request, await prepareSecondFactor(request.ctx, request.person))
}

function renderSetUp(request: PersonRequest, { uri, secret }: PreparedTotp, problem?: ApiError): PageAnswer {
  const { profile } = request.texts
  const wrong = errorsByField(problem)
  return renderScreen(request, {
    name: 'profile',
    title: profile.setUp,
    crumbs: crumbs(request),
    status: problem?.status ?? 200,
    flash: problem && wrong.size === 0 ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <section class="card form-card">
        <p>{profile.scan}</p>
        <Qr text={uri} label={profile.scanLabel} />
        <p class="secret">
          <span class="muted">{profile.secretLabel}: </span>
          <CopyText text={secret} label={profile.secretLabel} />
        </p>
        <Form action={withFrom(request, SECOND_FACTOR)} hidden={fromOf(request)}>
          <Field
            id="code"
            name="code"
            label={profile.code}
            hint={profile.codeHint}
            autoComplete="one-time-code"
            maxLength={12}
            numeric
            required
            ltr
            {...wrong.for('code')}
          />
          <div class="buttons">
            <Button>{profile.activate}</Button>
            <a class="button quiet" href={cameFrom(request)}>
              {request.texts.frame.cancel}
            </a>
          </div>
        </Form>
      </section>
    ),
  })
}

export async function postSetUp(request: PersonRequest): Promise<PageAnswer> {
  const { ctx, call, person } = request
  try {
    const { recoveryCodes, token } = await activateTotp(ctx, person, call.form.get('code') ?? '')
    return renderCodes(request, recoveryCodes, { 'set-cookie': sessionCookie(ctx, token) })
  } catch (error) {
    const prepared = await preparedSecondFactor(ctx, person)
    if (prepared && error instanceof ApiError && error.status < 500)
      return renderSetUp(request, prepared, error)
    throw error
  }
}

/** The only page that shows the codes. */
function renderCodes(
  request: PersonRequest,
  codes: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): PageAnswer {
  const { profile } = request.texts
  return renderScreen(request, {
    name: 'profile',
    title: profile.codesTitle,
    crumbs: crumbs(request),
    headers,
    children: (
      <section class="card form-card">
        <p>{profile.codesBody}</p>
        <ul class="recovery-codes" aria-label={profile.codesLabel}>
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div class="buttons">
          <form method="get" action={cameFrom(request)}>
            <Button>{profile.codesStored}</Button>
          </form>
          <button class="button quiet" type="button" data-copy={codes.join('\n')} hidden>
            {request.texts.frame.copy}
          </button>
        </div>
      </section>
    ),
  })
}

export function askTurnOff(request: PersonRequest): PageAnswer {
  const { profile } = request.texts
  return renderScreen(request, {
    name: 'profile',
    title: profile.turnOffTitle,
    crumbs: crumbs(request),
    children: (
      <Question action={`${SECOND_FACTOR}/off`} button={profile.turnOff} kind="danger" back={PROFILE}>
        <p>{profile.turnOffBody}</p>
      </Question>
    ),
  })
}

export async function postTurnOff({ ctx, person }: PersonRequest): Promise<PageAnswer> {
  await deactivateTotp(ctx, person)
  return seeOther(`${PROFILE}?note=off`)
}

export function askRenew(request: PersonRequest): PageAnswer {
  const { profile } = request.texts
  return renderScreen(request, {
    name: 'profile',
    title: profile.renewTitle,
    crumbs: crumbs(request),
    children: (
      <Question action={`${SECOND_FACTOR}/codes`} button={profile.renew} back={PROFILE}>
        <p>{profile.renewBody}</p>
      </Question>
    ),
  })
}

export const postRenew = async (request: PersonRequest): Promise<PageAnswer> =>
  renderCodes(request, await renewRecoveryCodes(request.ctx, request.person))
