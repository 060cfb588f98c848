import { ApiError, notFound } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Field } from '../../kit/html/controls.tsx'
import { sessionCookie } from '../../../people/cookie.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  startPasskeyRegistration,
} from '../../../people/passkeys/passkeys.ts'
import { jsonAnswer, PasskeyForm, passkeyAnswer } from '../account/passkey-form.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'
import { errorsByField } from '../parts/form-errors.ts'
import { Ask } from '../parts/forms.tsx'
import { crumbs, PROFILE } from './page.tsx'
import { cameFrom, fromOf, withFrom } from './protect.tsx'

const NEW_PASSKEY = `${PROFILE}/passkeys/new`

export function showNewPasskey(visit: Visit, problem?: ApiError): PageAnswer {
  const { profile } = visit.texts
  const wrong = errorsByField(problem)
  const message = problem?.extras.errors?.find(({ field }) => field === 'passkey')?.message
  return drawScreen(visit, {
    name: 'profile',
    title: profile.addPasskey,
    crumbs: crumbs(visit),
    status: problem?.status ?? 200,
    flash:
      problem && (message || wrong.size === 0)
        ? { kind: 'bad', text: message ? visit.texts.account.passkeyRefused : problem.message }
        : undefined,
    children: (
      <section class="card form-card">
        <p>{profile.passkeysIntro}</p>
        <PasskeyForm
          visit={visit}
          kind="create"
          action={withFrom(visit, NEW_PASSKEY)}
          options={`${NEW_PASSKEY}/options`}
          button={profile.addPasskey}
          hidden={{ form: visit.formId, ...fromOf(visit) }}
        >
          <Field
            id="passkey-name"
            name="name"
            label={profile.passkeyName}
            hint={profile.passkeyNameHint}
            value={visit.call.form.get('name') ?? ''}
            maxLength={100}
            required
            {...wrong.at('name')}
          />
        </PasskeyForm>
        <p class="muted without-passkeys">{profile.needsScript}</p>
      </section>
    ),
  })
}

export const passkeyCreation = async ({ ctx, person }: Visit): Promise<PageAnswer> =>
  jsonAnswer(await startPasskeyRegistration(ctx, person))

export async function postPasskey(visit: Visit): Promise<PageAnswer> {
  const { ctx, call, person } = visit
  try {
    const answer = { ...passkeyAnswer(visit), name: call.form.get('name') ?? '' }
    const { token } = await addPasskey(ctx, person, answer)
    const location = `${cameFrom(visit)}?note=passkey-added`
    return { location, headers: { 'set-cookie': sessionCookie(ctx, token) } }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return showNewPasskey(visit, error)
    throw error
  }
}

export async function askRemovePasskey(visit: Visit): Promise<PageAnswer> {
  const { ctx, call, texts, person } = visit
  const passkeys = await listPasskeys(ctx, person.personId)
  const passkey = passkeys.find(({ credentialId }) => credentialId === call.query.id)
  if (!passkey) throw notFound('The passkey')
  return drawScreen(visit, {
    name: 'profile',
    title: texts.profile.removeTitle(passkey.name),
    crumbs: crumbs(visit),
    children: (
      <Ask
        visit={visit}
        action={`${PROFILE}/passkeys/remove?id=${encodeURIComponent(passkey.credentialId)}`}
        button={texts.profile.remove}
        kind="danger"
        back={PROFILE}
        hidden={{ id: passkey.credentialId }}
      >
        <p>{texts.profile.removeBody}</p>
      </Ask>
    ),
  })
}

export async function postRemovePasskey({ ctx, call, person }: Visit): Promise<PageAnswer> {
  await removePasskey(ctx, person, call.form.get('id') ?? '')
  return seeOther(`${PROFILE}?note=passkey-removed`)
}
