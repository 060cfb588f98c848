import { ApiError } from '../../../base/errors.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Field, LinkButton } from '../../kit/html/controls.tsx'
import { findPerson } from '../../../people/accounts/settings.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import { hasOidc } from '../../../people/oidc/oidc.ts'
import { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import { proveWithPasskey, startPasskey } from '../../../people/passkeys/sign-in.ts'
import { proveAgain } from '../../../people/sign-in/proof.ts'
import { clientOf, nextPage } from '../account/client.ts'
import { jsonAnswer, PasskeyForm, passkeyAnswer } from '../account/passkey-form.tsx'
import { PROOF } from '../frame/proof.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'
import { Ask } from '../parts/forms.tsx'

const nextOf = ({ call }: Visit): string => nextPage(call.form.get('next') ?? call.query.next)

export async function showProof(visit: Visit, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, texts, person } = visit
  const { profile } = texts
  const next = nextOf(visit)
  const known = await findPerson(ctx, person.personId)
  const hasPasskeys = (await listPasskeys(ctx, person.personId)).length > 0
  const hidden = { next }
  return drawScreen(visit, {
    name: 'profile',
    title: profile.proofTitle,
    crumbs: [{ label: profile.title, href: '/console/profile' }],
    status: problem?.status ?? 200,
    flash: problem && !problem.extras.errors ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <div class="stack" data-dialog-body="yes">
        {(person.hasSecondFactor || known?.hasPassword) && (
          <Ask visit={visit} action={PROOF} button={profile.confirm} back="/console/profile" hidden={hidden}>
            <p>{profile.proofBody}</p>
            <ProofField visit={visit} error={problem?.extras.errors?.[0]?.message} />
          </Ask>
        )}
        <div class="ways">
          {hasPasskeys && (
            <PasskeyForm
              visit={visit}
              kind="get"
              action={`${PROOF}/passkey`}
              options={`${PROOF}/passkey`}
              button={profile.proofPasskey}
              hidden={{ ...hidden, form: visit.formId }}
            />
          )}
          {hasOidc(ctx) && !person.hasSecondFactor && (
            <LinkButton kind="quiet" href={`/console/oidc/proof?next=${encodeURIComponent(next)}`}>
              {profile.proofProvider(ctx.config.oidc?.name ?? '')}
            </LinkButton>
          )}
        </div>
      </div>
    ),
  })
}

function ProofField({ visit, error }: { readonly visit: Visit; readonly error: string | undefined }) {
  const { profile } = visit.texts
  const problem = error === undefined ? {} : { error }
  return visit.person.hasSecondFactor ? (
    <Field
      id="secret"
      name="secret"
      label={profile.proofCode}
      hint={profile.proofCodeHint}
      autoComplete="one-time-code"
      maxLength={40}
      required
      ltr
      {...problem}
    />
  ) : (
    <Field
      id="secret"
      name="secret"
      type="password"
      label={profile.proofPassword}
      autoComplete="current-password"
      required
      ltr
      {...problem}
    />
  )
}

const proven = (visit: Visit, token: string): PageAnswer => ({
  location: nextOf(visit),
  headers: { 'set-cookie': sessionCookie(visit.ctx, token) },
})

export async function postProof(visit: Visit): Promise<PageAnswer> {
  const { ctx, call, person } = visit
  try {
    return proven(visit, await proveAgain(ctx, person, call.form.get('secret') ?? '', clientOf(call)))
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return showProof(visit, error)
    throw error
  }
}

export const proofOptions = async ({ ctx, person }: Visit): Promise<PageAnswer> =>
  jsonAnswer(await startPasskey(ctx, { kind: 'proof', person }))

export async function postPasskeyProof(visit: Visit): Promise<PageAnswer> {
  const { ctx, person } = visit
  try {
    return proven(visit, await proveWithPasskey(ctx, person, passkeyAnswer(visit)))
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return showProof(visit, error)
    throw error
  }
}
