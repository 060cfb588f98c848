import type { ApiError } from '../../../base/errors.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import {
  activateTotp,
  deactivateTotp,
  type PreparedTotp,
  preparedSecondFactor,
  prepareSecondFactor,
  renewRecoveryCodes,
} from '../../../people/totp/commands.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Button, Field } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { Qr } from '../../kit/html/qr.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { personQuestion } from '../../kit/question.tsx'
import { errorsByField, refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import type { ScreenRoute } from '../../kit/route.ts'
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
  return renderScreen(request, {
    name: 'profile',
    title: profile.setUp,
    crumbs: crumbs(request),
    ...refused(request, problem),
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
            {...errorsByField(problem).for('code')}
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

export function postSetUp(request: PersonRequest): Promise<PageAnswer> {
  const { ctx, call, person } = request
  return retryForm(
    async () => {
      const { recoveryCodes, token } = await activateTotp(ctx, person, call.form.get('code') ?? '')
      return renderCodes(request, recoveryCodes, { 'set-cookie': sessionCookie(ctx, token) })
    },
    async (problem) => {
      const prepared = await preparedSecondFactor(ctx, person)
      if (!prepared) throw problem
      return renderSetUp(request, prepared, problem)
    },
  )
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
          <a
            class="button quiet"
            download="tender-recovery-codes.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`}
          >
            {profile.codesSave}
          </a>
          <button class="button quiet" type="button" data-copy={codes.join('\n')} hidden>
            {request.texts.frame.copy}
          </button>
        </div>
      </section>
    ),
  })
}

export const secondFactorQuestions: readonly ScreenRoute[] = [
  ...personQuestion(
    '/profile/second-factor/off',
    { proof: true },
    {
      kind: 'danger',
      back: '/profile',
      texts: ({ profile }) => ({
        title: profile.turnOffTitle,
        body: profile.turnOffBody,
        button: profile.turnOff,
      }),
      run: async ({ ctx, person }) => {
        await deactivateTotp(ctx, person)
        return 'off'
      },
    },
  ),
  ...personQuestion(
    '/profile/second-factor/codes',
    { proof: true },
    {
      back: '/profile',
      texts: ({ profile }) => ({ title: profile.renewTitle, body: profile.renewBody, button: profile.renew }),
      run: async (request) => renderCodes(request, await renewRecoveryCodes(request.ctx, request.person)),
    },
  ),
]
