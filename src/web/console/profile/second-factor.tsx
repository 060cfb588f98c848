import { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
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
import { drawScreen } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'
import { errorsByField } from '../parts/form-errors.ts'
import { Ask, Form } from '../parts/forms.tsx'
import { CopyText } from '../parts/text.tsx'
import { crumbs, PROFILE } from './page.tsx'
import { cameFrom, fromOf, withFrom } from './protect.tsx'

const SECOND_FACTOR = `${PROFILE}/second-factor`

/** Each visit makes a new secret, which is used only after its first code. */
export async function showSetUp(visit: Visit): Promise<PageAnswer> {
  if (visit.person.hasSecondFactor) return seeOther(cameFrom(visit))
  return drawSetUp(visit, await prepareSecondFactor(visit.ctx, visit.person))
}

function drawSetUp(visit: Visit, { uri, secret }: PreparedTotp, problem?: ApiError): PageAnswer {
  const { profile } = visit.texts
  const wrong = errorsByField(problem)
  return drawScreen(visit, {
    name: 'profile',
    title: profile.setUp,
    crumbs: crumbs(visit),
    status: problem?.status ?? 200,
    flash: problem && wrong.size === 0 ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <section class="card form-card">
        <p>{profile.scan}</p>
        <Qr text={uri} label={profile.scanLabel} />
        <p class="secret">
          <span class="muted">{profile.secretLabel}: </span>
          <CopyText visit={visit} text={secret} label={profile.secretLabel} />
        </p>
        <Form visit={visit} action={withFrom(visit, SECOND_FACTOR)} hidden={fromOf(visit)}>
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
            {...wrong.at('code')}
          />
          <div class="buttons">
            <Button>{profile.activate}</Button>
            <a class="button quiet" href={cameFrom(visit)}>
              {visit.texts.frame.cancel}
            </a>
          </div>
        </Form>
      </section>
    ),
  })
}

export async function postSetUp(visit: Visit): Promise<PageAnswer> {
  const { ctx, call, person } = visit
  try {
    const { recoveryCodes, token } = await activateTotp(ctx, person, call.form.get('code') ?? '')
    return drawCodes(visit, recoveryCodes, { 'set-cookie': sessionCookie(ctx, token) })
  } catch (error) {
    const prepared = await preparedSecondFactor(ctx, person)
    if (prepared && error instanceof ApiError && error.status < 500) return drawSetUp(visit, prepared, error)
    throw error
  }
}

/** The only page that shows the codes. */
function drawCodes(
  visit: Visit,
  codes: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): PageAnswer {
  const { profile } = visit.texts
  return drawScreen(visit, {
    name: 'profile',
    title: profile.codesTitle,
    crumbs: crumbs(visit),
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
          <form method="get" action={cameFrom(visit)}>
            <Button>{profile.codesStored}</Button>
          </form>
          <button class="button quiet" type="button" data-copy={codes.join('\n')} hidden>
            {visit.texts.frame.copy}
          </button>
        </div>
      </section>
    ),
  })
}

export function askTurnOff(visit: Visit): PageAnswer {
  const { profile } = visit.texts
  return drawScreen(visit, {
    name: 'profile',
    title: profile.turnOffTitle,
    crumbs: crumbs(visit),
    children: (
      <Ask
        visit={visit}
        action={`${SECOND_FACTOR}/off`}
        button={profile.turnOff}
        kind="danger"
        back={PROFILE}
      >
        <p>{profile.turnOffBody}</p>
      </Ask>
    ),
  })
}

export async function postTurnOff({ ctx, person }: Visit): Promise<PageAnswer> {
  await deactivateTotp(ctx, person)
  return seeOther(`${PROFILE}?note=off`)
}

export function askRenew(visit: Visit): PageAnswer {
  const { profile } = visit.texts
  return drawScreen(visit, {
    name: 'profile',
    title: profile.renewTitle,
    crumbs: crumbs(visit),
    children: (
      <Ask visit={visit} action={`${SECOND_FACTOR}/codes`} button={profile.renew} back={PROFILE}>
        <p>{profile.renewBody}</p>
      </Ask>
    ),
  })
}

export const postRenew = async (visit: Visit): Promise<PageAnswer> =>
  drawCodes(visit, await renewRecoveryCodes(visit.ctx, visit.person))
