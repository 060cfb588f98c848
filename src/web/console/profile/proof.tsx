import type { ApiError } from '../../../base/errors.ts'
import { findPerson } from '../../../people/accounts/settings.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import { hasOidc } from '../../../people/oidc/oidc.ts'
import { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import { proveWithPasskey, startPasskey } from '../../../people/passkeys/sign-in.ts'
import { proveAgain } from '../../../people/sign-in/proof.ts'
import { PROOF } from '../../kit/frame/proof.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Field, LinkButton, type Wrong } from '../../kit/html/controls.tsx'
import { Question } from '../../kit/html/forms.tsx'
import { refused, retryForm } from '../../kit/refusal.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { usePersonRequest } from '../../kit/screen.tsx'
import { clientOf, nextPage } from '../account/client.ts'
import { jsonAnswer, PasskeyForm, passkeyAnswer } from '../account/passkey-form.tsx'
import { crumbs } from './page.tsx'

const nextOf = ({ call }: PersonRequest): string => nextPage(call.form.get('next') ?? call.query.next)

export async function showProof(request: PersonRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, texts, person } = request
  const { profile } = texts
  const next = nextOf(request)
  const known = await findPerson(ctx, person.personId)
  const hasPasskeys = (await listPasskeys(ctx, person.personId)).length > 0
  const hidden = { next }
  return renderScreen(request, {
    name: 'profile',
    title: profile.proofTitle,
    crumbs: crumbs(request),
    ...refused(request, problem),
    children: (
      <div class="stack" data-dialog-body="yes">
        {(person.hasSecondFactor || known?.hasPassword) && (
          <Question action={PROOF} button={profile.confirm} back="/console/profile" hidden={hidden}>
            <p>{profile.proofBody}</p>
            <ProofField error={problem?.extras.errors?.[0]} />
          </Question>
        )}
        <div class="ways card">
          {hasPasskeys && (
            <PasskeyForm
              kind="get"
              action={`${PROOF}/passkey`}
              options={`${PROOF}/passkey`}
              button={profile.proofPasskey}
              hidden={{ ...hidden, form: request.formId }}
            />
          )}
          {hasOidc(ctx) && !person.hasSecondFactor && (
            <LinkButton kind="quiet" href={`/console/oidc/proof?next=${encodeURIComponent(next)}`}>
              {profile.proofProvider({ name: ctx.config.oidc?.name ?? '' })}
            </LinkButton>
          )}
        </div>
      </div>
    ),
  })
}

/** The code of the second factor, else the password. */
function ProofField({ error }: { readonly error: Wrong | undefined }) {
  const { person, texts } = usePersonRequest()
  const { profile } = texts
  const common = { id: 'secret', name: 'secret', required: true, ltr: true, ...(error && { error }) }
  return person.hasSecondFactor ? (
    <Field
      {...common}
      label={profile.proofCode}
      hint={profile.proofCodeHint}
      autoComplete="one-time-code"
      maxLength={40}
    />
  ) : (
    <Field {...common} type="password" label={profile.proofPassword} autoComplete="current-password" />
  )
}

/** Back with the new token of the session; a refusal shows the page again. */
const prove = (request: PersonRequest, work: () => Promise<string>): Promise<PageAnswer> =>
  retryForm(
    async () => ({
      location: nextOf(request),
      headers: { 'set-cookie': sessionCookie(request.ctx, await work()) },
    }),
    (problem) => showProof(request, problem),
  )

export const postProof = (request: PersonRequest): Promise<PageAnswer> => {
  const { ctx, call, person } = request
  return prove(request, () => proveAgain(ctx, person, call.form.get('secret') ?? '', clientOf(call)))
}

export const proofOptions = async ({ ctx, person }: PersonRequest): Promise<PageAnswer> =>
  jsonAnswer(await startPasskey(ctx, { kind: 'proof', person }))

export const postPasskeyProof = (request: PersonRequest): Promise<PageAnswer> =>
  prove(request, () => proveWithPasskey(request.ctx, request.person, passkeyAnswer(request)))
