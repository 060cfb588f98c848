import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { fieldError, type FormErrors } from '../../kit/refusal.ts'
import { Form, TextArea } from '../../kit/html/forms.tsx'
import { type FirewallDraft, firewallField, type PolicyDraft } from './draft.ts'
import { RuleSentence } from './rule.tsx'
import { useRequest } from '../../kit/screen.tsx'

export interface EditorProps {
  readonly policyId: number
  /** The version that the draft began from. */
  readonly version: string
  readonly draft: PolicyDraft
  readonly errors: FormErrors
  /** The place of a rule that was just added. */
  readonly newRule?: number | undefined
}

/** Buttons outside of the form name it. */
export const EDITOR_ID = 'policy-editor'

/** One form for the whole policy. Only `save` and `saveAs` change anything. */
export function PolicyEditor(props: EditorProps) {
  const request = useRequest()
  const { policyId, version, draft, errors } = props
  const { fraud } = request.texts
  const hidden = { version, rules: String(draft.rules.length) }
  return (
    <Form action={`${request.base}/fraud/${policyId}`} hidden={hidden} class="policy" id={EDITOR_ID}>
      {/* The button that Enter presses: it must not be one that moves a rule. */}
      <button
        class="visually-hidden"
        type="submit"
        name="act"
        value="simulate"
        tabIndex={-1}
        aria-hidden="true"
      >
        {fraud.simulate}
      </button>
      {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
      <Rules {...props} />
      <FirewallFields draft={draft.firewall} errors={errors} />
      <Saving draft={draft} errors={errors} />
    </Form>
  )
}

/** Name, simulation, saving, and saving as another policy. */
function Saving({ draft, errors }: Pick<EditorProps, 'draft' | 'errors'>) {
  const request = useRequest()
  const { fraud } = request.texts
  const nameError = errors.of('name')
  const copyError = errors.of('copyName')
  return (
    <Card title={fraud.policy}>
      <Field
        id="name"
        name="name"
        label={fraud.name}
        value={draft.name}
        maxLength={200}
        {...(nameError ? { error: nameError } : {})}
      />
      <div class="buttons">
        <Button kind="quiet" name="act" value="simulate">
          {fraud.simulate}
        </Button>
        <Button name="act" value="save">
          {fraud.save}
        </Button>
      </div>
      <div class="save-as">
        <Field
          id="copyName"
          name="copyName"
          label={fraud.saveAsName}
          value={request.call.form.get('copyName') ?? ''}
          maxLength={200}
          {...(copyError ? { error: copyError } : {})}
        />
        <Button kind="quiet" name="act" value="saveAs">
          {fraud.saveAs}
        </Button>
      </div>
    </Card>
  )
}

function Rules({ draft, errors, newRule }: EditorProps) {
  const request = useRequest()
  const { fraud } = request.texts
  return (
    <Card title={fraud.rules}>
      <p class="muted small">{draft.rules.length > 0 ? fraud.rulesHint : fraud.noRules}</p>
      {draft.rules.map((rule, place) => (
        <RuleSentence
          rule={rule}
          place={place}
          count={draft.rules.length}
          errors={errors}
          isNew={place === newRule}
        />
      ))}
      <div class="buttons">
        <Button kind="quiet" name="act" value="add">
          {fraud.addRule}
        </Button>
      </div>
    </Card>
  )
}

interface FirewallProps {
  readonly draft: FirewallDraft
  readonly errors: FormErrors
}

function FirewallFields({ draft, errors }: FirewallProps) {
  const request = useRequest()
  const { fraud } = request.texts
  type Name = Exclude<keyof FirewallDraft, 'matchCardCountry' | 'whenUnavailable'>
  const field = (name: Name, hint?: string) => {
    const label = fraud[name]
    const error = fieldError(label, errors.of(`firewall.${name}`))
    const more = { ...(hint ? { hint } : {}), ...(error ? { error } : {}) }
    const common = { id: `firewall-${name}`, name: firewallField(name), label, value: draft[name] }
    return name.endsWith('Addresses') ? (
      <TextArea {...common} {...more} rows={3} maxLength={60_000} />
    ) : (
      <Field {...common} {...more} maxLength={1_200} />
    )
  }
  return (
    <Card title={fraud.firewall}>
      <p class="muted small">{fraud.firewallHint}</p>
      <div class="firewall-fields">
        {field('allowedCountries', fraud.countriesHint)}
        {field('blockedCountries', fraud.countriesHint)}
        {field('allowedAddresses', fraud.addressesHint)}
        {field('blockedAddresses', fraud.addressesHint)}
        {field('maxRiskScore', fraud.maxRiskScoreHint)}
        <Select
          id="firewall-whenUnavailable"
          name={firewallField('whenUnavailable')}
          label={fraud.whenUnavailable}
          options={[
            { value: 'Accept', label: fraud.accept },
            { value: 'Reject', label: fraud.reject },
          ]}
          value={draft.whenUnavailable}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          name={firewallField('matchCardCountry')}
          value="yes"
          checked={draft.matchCardCountry === 'yes'}
        />
        <span>{fraud.matchCardCountry}</span>
      </label>
      {field('message')}
    </Card>
  )
}
