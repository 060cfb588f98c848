import { type ApiError, invalid } from '../../../base/errors.ts'
import { readInstant } from '../../../http/wire.ts'
import { createKey } from '../../../merchants/keys/commands.ts'
import { DEFAULT_SCOPES, KEY_SCOPES, type KeyScope } from '../../../merchants/keys/scopes.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { Field, Select } from '../../kit/html/controls.tsx'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { CheckGroup } from '../../kit/html/choices.tsx'
import { errorsByField, refused, retryForm } from '../../kit/refusal.ts'
import { Question } from '../../kit/html/forms.tsx'
import { crumbs, showSecret } from './keys.tsx'
import { useRequest } from '../../kit/screen.tsx'

const ACCESS = ['limited', 'all'] as const

export function askNewKey(request: AppRequest, problem?: ApiError): PageAnswer {
  const { texts, base, call } = request
  const { developers } = texts
  const errors = errorsByField(problem)
  return renderScreen(request, {
    name: 'developers',
    title: developers.createKey,
    crumbs: crumbs(request),
    ...refused(problem),
    children: (
      <Question
        action={`${base}/developers/keys`}
        button={developers.createKey}
        back={`${base}/developers/keys`}
      >
        <Field
          id="key-name"
          name="name"
          label={developers.keyName}
          hint={developers.keyNameHint}
          value={call.form.get('name') ?? ''}
          maxLength={100}
          required
        />
        <AccessFields error={errors.for('scopes').error} />
        <Field
          id="key-expires"
          name="expires"
          type="date"
          label={developers.keyExpires}
          hint={developers.keyExpiresHint}
          value={call.form.get('expires') ?? ''}
          {...errors.for('expiresTime')}
        />
      </Question>
    ),
  })
}

/**
 * What the person may give: full access, or scopes within the own role. The scopes are shown while the access
 * is limited; by style alone, so without script too.
 */
function AccessFields({ error }: { readonly error: string | undefined }) {
  const { call, ctx, texts } = useRequest()
  const { developers } = texts
  const grants = ctx.actor?.grants
  const ticked: readonly string[] = call.isPost ? call.fieldsOf('scope') : DEFAULT_SCOPES
  return (
    <div class="stack key-access">
      <Select
        id="key-access"
        name="access"
        label={developers.access}
        value={call.form.get('access') ?? 'limited'}
        options={ACCESS.filter((value) => value === 'limited' || grants === null).map((value) => ({
          value,
          label: developers.accessKinds[value],
        }))}
      />
      <CheckGroup
        legend={developers.scopes}
        name="scope"
        error={error}
        choices={KEY_SCOPES.filter((scope) => grants === null || grants?.includes(scope)).map((scope) => ({
          value: scope,
          label: (
            <>
              {developers.scopeNames[scope]}
              <span class="muted small"> · {developers.scopeHints[scope]}</span>
            </>
          ),
          isChecked: ticked.includes(scope),
        }))}
      />
    </div>
  )
}

function readScopes({ call, texts }: AppRequest): readonly KeyScope[] | null {
  if (call.form.get('access') === 'all') return null
  const ticked = call.fieldsOf('scope')
  const scopes = KEY_SCOPES.filter((scope) => ticked.includes(scope))
  if (scopes.length === 0) throw invalid([{ field: 'scopes', message: texts.developers.noScopes }])
  return scopes
}

export function postNewKey(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const name = (call.form.get('name') ?? '').trim().slice(0, 100) || 'API key'
  const day = call.form.get('expires') ?? ''
  const expiresTime = day === '' ? null : (readInstant(`${day}T23:59:59Z`) ?? null)
  return retryForm(
    async () =>
      showSecret(request, await createKey(ctx, app, { name, expiresTime, scopes: readScopes(request) })),
    (problem) => askNewKey(request, problem),
  )
}
