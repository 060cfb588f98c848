import type { ComponentChildren } from 'preact'
import { type ApiError, invalid } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Profile } from '../../../merchants/app.ts'
import { changeProfileSafely } from '../../../merchants/profiles/accounts.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import {
  createProfile,
  unsavedProfile,
  usualMethods,
  withUnsavedSettings,
} from '../../../merchants/profiles/commands.ts'
import { checkUnsaved, type ProfileCheck } from '../../../merchants/profiles/connect.ts'
import { ProfileInput } from '../../../merchants/profiles/schema.ts'
import { needsConnecting } from '../../../merchants/profiles/unproven.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import type { AnyMethod } from '../../../providers/methods/method.ts'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import type { Manifest, ProviderAdapter } from '../../../providers/port.ts'
import { choice, codeOptions, Fields, form, text } from '../../kit/form.tsx'
import { shortName } from '../../kit/format/names.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { CheckGroup, SecretField } from '../../kit/html/choices.tsx'
import { ActButton, Field } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { type FormErrors, retryForm, sentenceErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'
import { CheckResult } from './check-result.tsx'
import { readSettings, sealEntered, settingName } from './entered.ts'
import { SetupGuide } from './guide.tsx'
import {
  currenciesOf,
  methodsOf,
  needsCredentials,
  profilePath,
  renderBelow,
  requestedAdapter,
  requestedProfile,
  settingTexts,
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

/** Fields of every profile, new or not. */
export const BASIC_FIELDS = [
  text('name', { required: true, maxLength: LIMITS.nameLength }),
  choice('currency', currencies, { canFail: true }),
]
const basics = form(ProfileInput, BASIC_FIELDS)

/** What a person typed about a new provider. */
interface ProfileDraft {
  readonly name: string
  readonly currency: string
  readonly methods: readonly AnyMethod[]
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
  const { ctx, app, call } = request
  const adapter = requestedAdapter(request)
  const draft = readDraft(request)
  return retryForm(
    async () => {
      checkDraft(request, draft)
      const { manifest } = adapter
      const settings = needsCredentials(adapter) ? readSettings(request, manifest, manifest.id) : {}
      const wanted = { ...draft, provider: manifest.id, currencies: null, isActive: false, settings }
      if (call.form.get('act') === 'test') {
        const unsaved = unsavedProfile(ctx, app, wanted)
        return renderNew(request, draft, {
          test: { unsaved, settings, check: await checkUnsaved(ctx, app, unsaved) },
        })
      }
      return seeOther(afterCredentials(request, adapter, await createProfile(ctx, app, wanted)))
    },
    (problem) => renderNew(request, draft, { problem }),
  )
}

/** A test of settings that are not stored. */
interface Test {
  readonly unsaved: Profile
  /** As they were typed. */
  readonly settings: Readonly<Record<string, string>>
  readonly check: ProfileCheck
}

/** What the last form led to. */
interface FormResult {
  readonly problem?: ApiError
  readonly test?: Test
}

function afterCredentials(request: AppRequest, adapter: ProviderAdapter, profile: Profile): string {
  const path = profilePath(request, profile)
  return needsConnecting(adapter) ? `${path}/connect` : `${path}/review`
}

async function renderNew(
  request: AppRequest,
  draft: ProfileDraft,
  { problem, test }: FormResult = {},
): Promise<PageAnswer> {
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
        <Explained manifest={manifest}>
          {test && <CheckResult check={test.check} profile={test.unsaved} isSaved={false} />}
          <SettingsForm
            action={`${base}/providers/add/${manifest.id}`}
            {...{ adapter, errors, test }}
            subject={manifest.id}
          >
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
        </Explained>
      </>
    ),
  })
}

interface ExplainedProps {
  readonly manifest: Manifest
  readonly children: ComponentChildren
}

/** The form, and beside it what to do at the provider. */
const Explained = ({ manifest, children }: ExplainedProps) => (
  <div class="with-guide">
    <Card class="form-card">{children}</Card>
    <SetupGuide manifest={manifest} />
  </div>
)

interface SettingsFormProps {
  readonly action: string
  readonly adapter: ProviderAdapter
  readonly errors: FormErrors
  /** What the form is about, for the values that the page carries. */
  readonly subject: string
  /** The masked values that are stored. */
  readonly stored?: Readonly<Record<string, string>>
  readonly test?: Test | undefined
  /** Instead of those that go on to the next step. */
  readonly buttons?: ComponentChildren
  /** Fields above the settings. */
  readonly children?: ComponentChildren
}

/** A field for each setting of the provider. A secret is never filled in, also not after an error. */
function SettingsForm({ action, adapter, errors, stored = {}, test, ...props }: SettingsFormProps) {
  const request = useRequest()
  const { providers } = request.texts
  const { buttons, children, subject } = props
  const hasFields = needsCredentials(adapter)
  const entered = test && Object.keys(test.settings).length > 0 ? test : undefined
  const masks = entered ? maskedSettings(request.ctx, entered.unsaved) : {}
  return (
    <Form
      action={action}
      hidden={entered ? { entered: sealEntered(request, subject, entered.settings) } : {}}
    >
      {errors.message !== '' && (
        <Notice kind="bad" title={errors.message}>
          {hasFields && <p>{providers.enterAgain}</p>}
        </Notice>
      )}
      {children}
      {hasFields ? (
        adapter.manifest.settings.fields.map((setting) => (
          <SettingField
            setting={setting}
            provider={adapter.manifest.id}
            mask={stored[setting.name]}
            entered={entered?.settings[setting.name] ? masks[setting.name] : undefined}
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
  readonly setting: Manifest['settings']['fields'][number]
  readonly provider: string
  /** The masked stored value. */
  readonly mask: string | undefined
  /** A masked value that was tested and is not stored. */
  readonly entered: string | undefined
  readonly errors: FormErrors
}

function SettingField({ setting, provider, mask, entered, errors }: SettingFieldProps) {
  const request = useRequest()
  const { call, texts } = request
  const { providers, providerSetup, frame } = texts
  const { name, secret, required } = setting
  const { label, help = '', wrong } = settingTexts(request, provider, setting)
  const { error } = errors.for(`settings.${name}`)
  const where: Readonly<Record<string, Readonly<Record<string, string>>>> = providerSetup.where
  const kept = entered
    ? providerSetup.entered({ mask: entered })
    : mask
      ? providers.secretStored({ mask })
      : secret
        ? providers.secretHint
        : ''
  const field = {
    id: `setting-${name}`,
    name: settingName(name),
    label: required ? label : `${label} (${frame.optional})`,
    hint: [textNamed(where[provider] ?? {}, name) ?? help, kept].filter(Boolean).join(' '),
    required: required && mask === undefined && entered === undefined,
    ...(error && { error: wrong ?? error }),
  }
  if (secret) return <SecretField {...field} />
  return <Field {...field} ltr maxLength={2_000} value={call.form.get(field.name) ?? ''} />
}

/** The same step for a profile that exists: what is stored is masked. */
export const showCredentials = (request: AppRequest): PageAnswer => renderCredentials(request)

export function changeCredentials(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const profile = requestedProfile(request)
  const adapter = adapterOf(ctx, profile)
  return retryForm(
    async () => {
      const settings = readSettings(request, adapter.manifest, subjectOf(profile))
      if (call.form.get('act') === 'test') {
        const unsaved = withUnsavedSettings(ctx, app, profile, settings)
        const check = await checkUnsaved(ctx, app, unsaved)
        return renderCredentials(request, { test: { unsaved, settings, check } })
      }
      if (Object.keys(settings).length > 0)
        await changeProfileSafely(ctx, app, profile.profileId, { settings })
      if (call.form.get('act') === 'save')
        return seeOther(`${profilePath(request, profile)}/check?note=saved`)
      return seeOther(afterCredentials(request, adapter, profile))
    },
    (problem) => renderCredentials(request, { problem }),
  )
}

const subjectOf = ({ profileId }: Profile): string => `profile:${profileId}`

function renderCredentials(request: AppRequest, { problem, test }: FormResult = {}): PageAnswer {
  const { ctx, texts } = request
  const { providers, frame } = texts
  const profile = requestedProfile(request)
  const adapter = adapterOf(ctx, profile)
  const path = profilePath(request, profile)
  const errors = sentenceErrors(request, problem)
  const saving = (
    <div class="buttons">
      <ActButton act="test" text={providers.test} />
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
        <Explained manifest={adapter.manifest}>
          {test && <CheckResult check={test.check} profile={test.unsaved} isSaved={false} />}
          <SettingsForm
            action={`${path}/credentials`}
            {...{ adapter, errors, test }}
            subject={subjectOf(profile)}
            stored={maskedSettings(ctx, profile)}
            buttons={profile.isActive && saving}
          />
        </Explained>
      </>
    ),
  })
}
