import type { ComponentChildren } from 'preact'
import { CURRENCIES } from '../../../base/currencies.ts'
import { PERIODS, RULE_ACTIONS } from '../../../fraud/policy.ts'
import { ActButton, ErrorLine } from '../../kit/html/controls.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { type RuleDraft, ruleField } from './draft.ts'
import { MEASURE_NAMES, policyProfileName, profilesText } from './words.ts'

interface RuleProps {
  readonly rule: RuleDraft
  readonly place: number
  readonly count: number
  readonly errors: FormErrors
  /** It was just added. */
  readonly isNew: boolean
}

/** A rule as a sentence of selects. Parts that do not apply to its measure are hidden by the stylesheet. */
export function RuleSentence({ rule, place, count, errors, isNew }: RuleProps) {
  const { fraud } = useRequest().texts
  const select = (name: SelectName, options: readonly Option[]) => (
    <Part place={place} name={name}>
      <select {...namesOf(place, name)} autofocus={isNew && name === 'measure'}>
        {options.map(([value, text]) => (
          <option value={value} selected={rule[name] === value}>
            {text}
          </option>
        ))}
      </select>
    </Part>
  )
  const input = (name: InputName, size: number) => (
    <Part place={place} name={name}>
      <input {...namesOf(place, name)} value={rule[name]} size={size} {...INPUTS[name]} autocomplete="off" />
    </Part>
  )
  return (
    <fieldset class="rule" id={`rule-${place + 1}`}>
      <legend>{fraud.rule({ place: place + 1 })}</legend>
      <div class="sentence">
        {fraud.ifWord}
        {select('measure', optionsOf(MEASURE_NAMES, fraud.measures))}
        <span class="rule-window">
          {fraud.over}
          {input('periodCount', 3)}
          {select('period', optionsOf(PERIOD_NAMES, fraud.periods))}
        </span>
        {fraud.exceeds}
        {input('threshold', 8)}
        <span class="rule-part">
          {fraud.inWord}
          {select('currency', [['', fraud.anyCurrency], ...CODES])}
        </span>
        <span class="rule-part">
          {fraud.onWord}
          <ProfilesPart rule={rule} place={place} />
        </span>
        {fraud.thenWord}
        {select('action', optionsOf(RULE_ACTIONS, fraud.actions))}
        <span class="rule-message">
          {fraud.andSay}
          {input('message', 30)}
        </span>
      </div>
      <p class="rule-warning">{fraud.anyCurrencyWarning}</p>
      <Problems place={place} errors={errors} />
      <RuleButtons place={place} count={count} />
    </fieldset>
  )
}

type SelectName = 'measure' | 'period' | 'currency' | 'action'
type InputName = 'periodCount' | 'threshold' | 'message'
type Option = readonly [value: string, label: string]

const NUMBER = { maxlength: 20, inputmode: 'decimal' } as const
const INPUTS = { periodCount: NUMBER, threshold: NUMBER, message: { maxlength: 1_000 } }

const optionsOf = <Name extends string>(
  names: readonly Name[],
  labels: Readonly<Record<Name, string>>,
): Option[] => names.map((name) => [name, labels[name]])

const PERIOD_NAMES = Object.keys(PERIODS) as (keyof typeof PERIODS)[]
const CODES = [...CURRENCIES.keys()].sort().map((code): Option => [code, code])

const namesOf = (place: number, name: string) => ({
  id: `rule-${place}-${name}`,
  name: ruleField(place, name),
})

interface PartProps {
  readonly place: number
  readonly name: SelectName | InputName
  readonly children: ComponentChildren
}

/** One field of the sentence, with its label for screen readers. */
const Part = ({ place, name, children }: PartProps) => (
  <span class="part">
    <label class="visually-hidden" for={namesOf(place, name).id}>
      {useRequest().texts.fraud.ruleParts[name]}
    </label>
    {children}
  </span>
)

/** None ticked: all of them. */
function ProfilesPart({ rule, place }: Pick<RuleProps, 'rule' | 'place'>) {
  const request = useRequest()
  const { app, texts } = request
  const chosen = rule.profiles.map(Number)
  return (
    <details class="part profiles-part">
      <summary>
        <span class="visually-hidden">{`${texts.fraud.ruleParts.paymentProfiles}: `}</span>
        {profilesText(request, chosen)}
      </summary>
      <span class="profiles-choice">
        {app.profiles.map(({ profileId }) => (
          <label class="check">
            <input
              type="checkbox"
              name={ruleField(place, 'profiles')}
              value={String(profileId)}
              checked={chosen.includes(profileId)}
            />
            <bdi>{policyProfileName(request, profileId)}</bdi>
          </label>
        ))}
      </span>
    </details>
  )
}

function Problems({ place, errors }: Pick<RuleProps, 'place' | 'errors'>) {
  const { ruleParts } = useRequest().texts.fraud
  return (
    <>
      {Object.entries(ruleParts).map(([name, label]) => {
        const { error } = errors.for(`rules[${place}].${name}`)
        return error && <ErrorLine id={`rules-${place}-${name}`} label={label} error={error} />
      })}
    </>
  )
}

function RuleButtons({ place, count }: Pick<RuleProps, 'place' | 'count'>) {
  const { fraud } = useRequest().texts
  return (
    <div class="row-buttons">
      {place > 0 && <ActButton act={`up:${place}`} text={fraud.up({ place: place + 1 })} sign="↑" />}
      {place < count - 1 && (
        <ActButton act={`down:${place}`} text={fraud.down({ place: place + 1 })} sign="↓" />
      )}
      <ActButton act={`remove:${place}`} text={fraud.removeRule({ place: place + 1 })} sign="×" />
    </div>
  )
}
