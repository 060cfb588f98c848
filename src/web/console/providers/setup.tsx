import type { ComponentChildren } from 'preact'
import { type ApiError, invalid } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Profile } from '../../../merchants/app.ts'
import { changeProfileSafely } from '../../../merchants/profiles/accounts.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import { createProfile, usualMethods } from '../../../merchants/profiles/commands.ts'
import type { ProfileCheck } from '../../../merchants/profiles/connect.ts'
import { ProfileInput } from '../../../merchants/profiles/schema.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import { METHOD_KINDS, type MethodKind } from '../../../providers/outcome.ts'
import type { Manifest, ProviderAdapter } from '../../../providers/port.ts'
import { choice, codeOptions, Fields, form, text } from '../../kit/form.tsx'
import { providerName, shortName } from '../../kit/format/names.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { CheckGroup, SecretField } from '../../kit/html/choices.tsx'
import { ActButton, Field } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { type FormErrors, retryForm, sentenceErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { textWith } from '../../kit/texts/texts.ts'
import {
  currenciesOf,
  methodsOf,
  needsConnecting,
  needsCredentials,
  profilePath,
  renderBelow,
  requestedAdapter,
  requestedProfile,
  settingTexts,
  useProfile,
} from './profile.tsx'

/**
 * The credentials of a provider: step 2 of adding one. The profile exists from then on, and is off until the
 * last step.
 */

const STEPS = ['choose', 'credentials', 'connectStep', 'review'] as const

/** Where the person is in the set-up of a provider. */
export function Steps({ current }: { readonly current: (typeof STEPS)[number] }) {
  const { providers } = useRequest().texts
  return (
    <ol class="steps" aria-label={providers.steps}>
      {STEPS.map((step) => (
        <li aria-current={step === current ? 'step' : undefined}>{providers[step]}</li>
      ))}
    </ol>
  )
}

const currencies = ({ ctx, call, app }: AppRequest) => {
  const known = app.profiles.find(({ profileId }) => String(profileId) === call.params.profileId)
  const adapter = ctx.providers.get(call.params.provider ?? known?.provider ?? '')
  return adapter ? codeOptions(currenciesOf(adapter.manifest)) : []
}

/** Of every profile, new or not. */
export const BASIC_FIELDS = [
  text('name', { required: true, maxLength: LIMITS.nameLength }),
  choice('currency', currencies, { canFail: true }),
]
const basics = form(ProfileInput, BASIC_FIELDS)

/** What a person typed about a new provider. */
interface ProfileDraft {
  readonly name: string
  readonly currency: string
  readonly methods: readonly MethodKind[]
}

const FIRST_CHOICE = 'EUR'

function newDraft(manifest: Manifest): ProfileDraft {
  const offered = currenciesOf(manifest)
  return {
    name: manifest.name,
    currency: offered.includes(FIRST_CHOICE) ? FIRST_CHOICE : (offered[0] ?? ''),
    methods: usualMethods(manifest),
  }
}

export const readDraft = ({ call }: AppRequest): ProfileDraft => ({
  name: (call.form.get('name') ?? '').trim(),
  currency: call.form.get('currency') ?? '',
  methods: METHOD_KINDS.filter((kind) => call.fieldsOf('method').includes(kind)),
})

/** What the commands leave to the API's schema. */
export function checkDraft({ texts }: AppRequest, { name, methods }: ProfileDraft): void {
  const isNamed = name.length > 0 && name.length <= LIMITS.nameLength
  const errors = [
    ...(isNamed ? [] : [{ field: 'name', message: texts.providers.nameMissing }]),
    ...(methods.length > 0 ? [] : [{ field: 'methods', message: texts.providers.methodMissing }]),
  ]
  if (errors.length > 0) throw invalid(errors)
}

export const showNew = (request: AppRequest): Promise<PageAnswer> =>
  renderNew(request, newDraft(requestedAdapter(request).manifest))

export function addProfile(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app } = request
  const adapter = requestedAdapter(request)
  const draft = readDraft(request)
  return retryForm(
    async () => {
      checkDraft(request, draft)
      const profile = await createProfile(ctx, app, {
        ...draft,
        provider: adapter.manifest.id,
        currencies: null,
        isActive: false,
        settings: needsCredentials(adapter) ? readSettings(request, adapter.manifest) : {},
      })
      return seeOther(afterCredentials(request, adapter, profile))
    },
    (problem) => renderNew(request, draft, problem),
  )
}

function afterCredentials(request: AppRequest, adapter: ProviderAdapter, profile: Profile): string {
  const path = profilePath(request, profile)
  if (request.call.form.get('act') === 'test') return `${path}/check?from=setup`
  return needsConnecting(adapter) ? `${path}/connect` : `${path}/review`
}

async function renderNew(request: AppRequest, draft: ProfileDraft, problem?: ApiError): Promise<PageAnswer> {
  const { base, texts } = request
  const { providers } = texts
  const adapter = requestedAdapter(request)
  const { manifest } = adapter
  const values = { name: draft.name, currency: draft.currency }
  const errors = sentenceErrors(request, problem)
  return renderBelow(request, {
    title: providers.setUp({ name: manifest.name }),
    status: errors.status,
    children: (
      <>
        <Steps current="credentials" />
        <Card class="form-card">
          <SettingsForm action={`${base}/providers/add/${manifest.id}`} {...{ adapter, errors }}>
            <Fields
              fields={BASIC_FIELDS}
              texts={{ ...providers.fields, name: { ...providers.fields.name, hint: providers.nameHint } }}
              values={values}
              errors={errors}
              choices={await basics.choices(request, values)}
            />
            <CheckGroup
              legend={providers.methods}
              name="method"
              choices={methodsOf(manifest).map((kind) => ({
                value: kind,
                label: providers.methodNames[kind],
                isChecked: draft.methods.includes(kind),
              }))}
              error={errors.of('methods')}
            />
          </SettingsForm>
        </Card>
      </>
    ),
  })
}

interface SettingsFormProps {
  readonly action: string
  readonly adapter: ProviderAdapter
  readonly errors: FormErrors
  /** The masked values that are stored. */
  readonly stored?: Readonly<Record<string, string>>
  /** Instead of those that go on to the next step. */
  readonly buttons?: ComponentChildren
  /** Fields above the settings. */
  readonly children?: ComponentChildren
}

/** A field for each setting of the provider. A secret is never filled in, also not after an error. */
function SettingsForm({ action, adapter, errors, stored = {}, buttons, children }: SettingsFormProps) {
  const { providers } = useRequest().texts
  const hasFields = needsCredentials(adapter)
  return (
    <Form action={action}>
      {errors.message !== '' && (
        <Notice kind="bad" title={errors.message}>
          {hasFields && <p>{providers.enterAgain}</p>}
        </Notice>
      )}
      {children}
      {hasFields ? (
        adapter.manifest.settings.fields.map((setting) => (
          <SettingField
            provider={adapter.manifest.id}
            setting={setting}
            mask={stored[setting.name]}
            errors={errors}
          />
        ))
      ) : (
        <p class="muted">{providers.noCredentials}</p>
      )}
      {buttons || (
        <div class="buttons">
          <ActButton act="test" text={providers.test} />
          <ActButton act="next" text={providers.goOn} kind="primary" />
        </div>
      )}
    </Form>
  )
}

interface SettingFieldProps {
  readonly provider: string
  readonly setting: Manifest['settings']['fields'][number]
  readonly mask: string | undefined
  readonly errors: FormErrors
}

function SettingField({ provider, setting, mask, errors }: SettingFieldProps) {
  const request = useRequest()
  const { providers, frame } = request.texts
  const { name, secret, required } = setting
  const { label, help = '', wrong } = settingTexts(request, provider, setting)
  const { error } = errors.for(`settings.${name}`)
  const field = {
    id: `setting-${name}`,
    name: settingName(name),
    label: required ? label : `${label} (${frame.optional})`,
    hint: [help, mask ? providers.secretStored({ mask }) : secret ? providers.secretHint : '']
      .filter(Boolean)
      .join(' '),
    required: required && mask === undefined,
    ...(error && { error: wrong ?? error }),
  }
  if (secret) return <SecretField {...field} />
  return <Field {...field} ltr maxLength={SETTING_LENGTH} value={request.call.form.get(field.name) ?? ''} />
}

const SETTING_LENGTH = 2_000

const settingName = (name: string): string => `setting.${name}`

/** The settings that were filled in; an empty field keeps what is stored. */
function readSettings({ call }: AppRequest, { settings }: Manifest): Record<string, string> {
  const given = settings.fields.map(({ name }) => [name, (call.form.get(settingName(name)) ?? '').trim()])
  return Object.fromEntries(given.filter(([, value]) => value && value.length <= SETTING_LENGTH))
}

/** The same step for a profile that exists: what is stored is masked. */
export const showCredentials = (request: AppRequest): PageAnswer => renderCredentials(request, {})

export function changeCredentials(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const profile = requestedProfile(request)
  const adapter = adapterOf(ctx, profile)
  return retryForm(
    async () => {
      const settings = readSettings(request, adapter.manifest)
      if (Object.keys(settings).length > 0)
        await changeProfileSafely(ctx, app, profile.profileId, { settings })
      if (call.form.get('act') === 'save') return seeOther(`${profilePath(request, profile)}?note=saved`)
      return seeOther(afterCredentials(request, adapter, profile))
    },
    (problem) => renderCredentials(request, { problem }),
  )
}

/** What the last form or test of the connection led to. */
export interface ProfileResult {
  readonly problem?: ApiError
  readonly check?: ProfileCheck | undefined
}

export function renderCredentials(request: AppRequest, { problem, check }: ProfileResult): PageAnswer {
  const { ctx, texts } = request
  const { providers, frame } = texts
  const profile = requestedProfile(request)
  const path = profilePath(request, profile)
  const errors = sentenceErrors(request, problem)
  const saving = (
    <div class="buttons">
      <ActButton act="save" text={providers.replace} kind="primary" />
      <a href={path}>{frame.cancel}</a>
    </div>
  )
  return renderBelow(request, {
    title: providers.setUp({ name: shortName(profile) }),
    status: errors.status,
    children: (
      <>
        {!profile.isActive && <Steps current="credentials" />}
        <Card class="form-card">
          <CheckResult check={check} />
          <SettingsForm
            action={`${path}/credentials`}
            adapter={adapterOf(ctx, profile)}
            errors={errors}
            stored={maskedSettings(ctx, profile)}
            buttons={profile.isActive && saving}
          />
        </Card>
      </>
    ),
  })
}

/** What a test of the connection found. Problems and warnings are in the adapter's own words. */
export function CheckResult({ check }: Pick<ProfileResult, 'check'>) {
  const { request, profile, providers } = useProfile()
  if (!check) return null
  const name = providerName(request, profile.provider)
  if (!check.ok)
    return (
      <Notice kind="bad" title={providers.testFailed({ name })}>
        {check.code && request.language.locale !== 'en' && (
          <p>{textWith(providers.checkProblems[check.code], { name })}</p>
        )}
        <p lang="en">{check.problem}</p>
      </Notice>
    )
  return (
    <div role="status">
      <Notice kind="ok" title={providers.tested({ name })} />
      {check.warnings && check.warnings.length > 0 && (
        <Notice kind="info" title={providers.warnings}>
          {check.warnings.map((warning) => (
            <p lang="en">{warning}</p>
          ))}
        </Notice>
      )}
    </div>
  )
}
