import { Button, Field, Select } from '../../kit/html/controls.tsx'
import type { Manifest, ProviderAdapter } from '../../../providers/port.ts'
import { CheckGroup, SecretField } from '../../kit/html/choices.tsx'
import { fieldError, type FormErrors } from '../../kit/refusal.ts'
import { currenciesOf, methodsOf, type ProfileDraft, settingField } from './draft.ts'
import { useRequest } from '../../kit/screen.tsx'

const STEPS = ['choose', 'credentials', 'connectStep', 'review'] as const
type SetUpStep = (typeof STEPS)[number]

/** Where the person is in the set-up of a provider. */
export const Steps = ({ current }: { readonly current: SetUpStep }) => {
  const request = useRequest()
  return (
    <ol class="steps" aria-label={request.texts.providers.steps}>
      {STEPS.map((step) => (
        <li aria-current={step === current ? 'step' : undefined}>{request.texts.providers[step]}</li>
      ))}
    </ol>
  )
}

/** A provider of this installation opens its own account: there is nothing to type. */
export const needsCredentials = ({ openAccount }: ProviderAdapter): boolean => openAccount === undefined

/** Whether the provider sends notifications to an address that it must be told. */
export const needsConnecting = ({ connect, connectHelp }: ProviderAdapter): boolean =>
  connect !== undefined || connectHelp !== undefined

interface SettingFieldsProps {
  readonly manifest: Manifest
  readonly errors: FormErrors
  /** The masked values that are stored. */
  readonly stored: Readonly<Record<string, string>>
}

/** A field for each setting. A secret is never filled in, also not after an error. */
export function SettingFields({ manifest, errors, stored }: SettingFieldsProps) {
  const request = useRequest()
  const { providers, frame } = request.texts
  const { form } = request.call
  return (
    <>
      {manifest.settings.fields.map(({ name, label, secret, required, help = '' }) => {
        const mask = stored[name]
        const hint = [help, mask ? providers.secretStored(mask) : secret ? providers.secretHint : '']
        const error = fieldError(label, errors.of(`settings.${name}`))
        const props = {
          id: `setting-${name}`,
          name: settingField(name),
          label: required ? label : `${label} (${frame.optional})`,
          hint: hint.filter(Boolean).join(' '),
          required: required && mask === undefined,
        }
        return secret ? (
          <SecretField {...props} error={error} />
        ) : (
          <Field
            {...props}
            ltr
            maxLength={2_000}
            value={form.get(settingField(name)) ?? ''}
            {...(error ? { error } : {})}
          />
        )
      })}
    </>
  )
}

interface DraftFieldsProps {
  readonly manifest: Manifest
  readonly draft: ProfileDraft
  readonly errors: FormErrors
}

/** Name, currency and methods of a new provider. */
export function DraftFields({ manifest, draft, errors }: DraftFieldsProps) {
  const request = useRequest()
  const { providers } = request.texts
  const nameError = errors.of('name')
  return (
    <>
      <Field
        id="name"
        name="name"
        label={providers.name}
        hint={providers.nameHint}
        value={draft.name}
        maxLength={200}
        required
        {...(nameError ? { error: nameError } : {})}
      />
      <Select
        id="currency"
        name="currency"
        label={providers.currency}
        options={currenciesOf(manifest).map((code) => ({ value: code, label: code }))}
        value={draft.currency}
        error={fieldError(providers.currency, errors.of('currency'))}
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
    </>
  )
}

/** Both save what was typed; the first also asks the provider. */
export const SetUpButtons = () => {
  const request = useRequest()
  return (
    <div class="buttons">
      <Button kind="quiet" name="act" value="test">
        {request.texts.providers.test}
      </Button>
      <Button name="act" value="next">
        {request.texts.providers.goOn}
      </Button>
    </div>
  )
}
