import { Fields, type FormField, text } from '../../kit/form.tsx'
import { ActButton } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { FIREWALL_LIMITS, FIREWALL_REST, firewallMember, outcomes, type PolicyDraft } from './draft.ts'
import { RuleSentence } from './rule.tsx'

interface EditorProps {
  readonly action: string
  /** The version that the draft began from; undefined for a new policy. */
  readonly version?: string
  readonly draft: PolicyDraft
  readonly errors: FormErrors
  /** The place of a rule that was just added. */
  readonly newRule: number | undefined
}

/** Buttons outside of the form name it. */
export const EDITOR_ID = 'policy-editor'

const NAME = text('name', { maxLength: 200 })
const COPY_NAME = text('copyName', { maxLength: 200 })

/** One form for the whole policy. Only `save` and `saveAs` change anything. */
export function PolicyEditor({ action, version, draft, errors, newRule }: EditorProps) {
  const { call, texts } = useRequest()
  const { fraud } = texts
  const { rules } = draft
  const values = { name: draft.name, copyName: call.form.get('copyName') ?? '' }
  const names = { texts: fraud.fields, values, errors }
  return (
    <Form
      action={action}
      hidden={{ ...(version && { version }), rules: String(rules.length) }}
      class="policy"
      id={EDITOR_ID}
    >
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
      <Card title={fraud.rules}>
        <p class="muted small">{rules.length > 0 ? fraud.rulesHint : fraud.noRules}</p>
        {rules.map((rule, place) => (
          <RuleSentence
            rule={rule}
            place={place}
            count={rules.length}
            errors={errors}
            isNew={place === newRule}
          />
        ))}
        <div class="buttons">
          <ActButton act="add" text={fraud.addRule} />
        </div>
      </Card>
      <Firewall draft={draft} errors={errors} />
      <Card title={fraud.policy}>
        <Fields fields={[NAME]} {...names} />
        <div class="buttons">
          <ActButton act="simulate" text={fraud.simulate} />
          <ActButton act="save" text={fraud.save} kind="primary" />
        </div>
        {version && (
          <div class="save-as">
            <Fields fields={[COPY_NAME]} {...names} />
            <ActButton act="saveAs" text={fraud.saveAs} />
          </div>
        )}
      </Card>
    </Form>
  )
}

function Firewall({ draft, errors }: Pick<EditorProps, 'draft' | 'errors'>) {
  const request = useRequest()
  const { fraud } = request.texts
  const fields = (shown: readonly FormField[]) => (
    <Fields
      fields={shown}
      texts={Object.fromEntries(shown.map(({ name }) => [name, fraud.fields[firewallMember(name)]]))}
      values={draft.firewall}
      errors={errors}
      choices={{ 'firewall.whenUnavailable': outcomes(request) }}
    />
  )
  return (
    <Card title={fraud.firewall}>
      <p class="muted small">{fraud.firewallHint}</p>
      <div class="firewall-fields">{fields(FIREWALL_LIMITS)}</div>
      {fields(FIREWALL_REST)}
    </Card>
  )
}
