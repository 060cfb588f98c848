import { type ApiError, notFound } from '../../../base/errors.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  startPasskeyRegistration,
} from '../../../people/passkeys/passkeys.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Field } from '../../kit/html/controls.tsx'
import { Question } from '../../kit/html/forms.tsx'
import { errorsByField, refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { jsonAnswer, PasskeyForm, passkeyAnswer } from '../account/passkey-form.tsx'
import { crumbs, PROFILE } from './page.tsx'
import { cameFrom, fromOf, withFrom } from './protect.tsx'

const NEW_PASSKEY = `${PROFILE}/passkeys/new`

export function showNewPasskey(request: PersonRequest, problem?: ApiError): PageAnswer {
  const { profile } = request.texts
  const errors = errorsByField(problem)
  const passkeyRefused = { kind: 'bad', text: request.texts.account.notes['passkey-refused'] } as const
  return renderScreen(request, {
    name: 'profile',
    title: profile.addPasskey,
    crumbs: crumbs(request),
    ...refused(request, problem),
    ...(errors.of('passkey') && { flash: passkeyRefused }),
    children: (
      <section class="card form-card">
        <p>{profile.passkeysIntro}</p>
        <PasskeyForm
          kind="create"
          action={withFrom(request, NEW_PASSKEY)}
          options={`${NEW_PASSKEY}/options`}
          button={profile.addPasskey}
          hidden={{ form: request.formId, ...fromOf(request) }}
        >
          <Field
            id="passkey-name"
            name="name"
            label={profile.passkeyName}
            hint={profile.passkeyNameHint}
            value={request.call.form.get('name') ?? ''}
            maxLength={100}
            required
            {...errors.for('name')}
          />
        </PasskeyForm>
        <p class="muted without-passkeys">{profile.needsScript}</p>
      </section>
    ),
  })
}

export const passkeyCreation = async ({ ctx, person }: PersonRequest): Promise<PageAnswer> =>
  jsonAnswer(await startPasskeyRegistration(ctx, person))

export function postPasskey(request: PersonRequest): Promise<PageAnswer> {
  const { ctx, call, person } = request
  return retryForm(
    async () => {
      const answer = { ...passkeyAnswer(request), name: call.form.get('name') ?? '' }
      const { token } = await addPasskey(ctx, person, answer)
      const location = `${cameFrom(request)}?note=passkey-added`
      return { location, headers: { 'set-cookie': sessionCookie(ctx, token) } }
    },
    (problem) => showNewPasskey(request, problem),
  )
}

export async function showRemovePasskey(request: PersonRequest): Promise<PageAnswer> {
  const { ctx, call, texts, person } = request
  const passkeys = await listPasskeys(ctx, person.personId)
  const passkey = passkeys.find(({ credentialId }) => credentialId === call.query.id)
  if (!passkey) throw notFound('The passkey')
  return renderScreen(request, {
    name: 'profile',
    title: texts.profile.removeTitle({ name: passkey.name }),
    crumbs: crumbs(request),
    children: (
      <Question
        action={`${PROFILE}/passkeys/remove?id=${encodeURIComponent(passkey.credentialId)}`}
        button={texts.profile.remove}
        kind="danger"
        back={PROFILE}
        hidden={{ id: passkey.credentialId }}
      >
        <p>{texts.profile.removeBody}</p>
      </Question>
    ),
  })
}

export async function postRemovePasskey({ ctx, call, person }: PersonRequest): Promise<PageAnswer> {
  await removePasskey(ctx, person, call.form.get('id') ?? '')
  return seeOther(`${PROFILE}?note=passkey-removed`)
}
