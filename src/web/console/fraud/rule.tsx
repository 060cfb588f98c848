import type { ComponentChildren } from 'preact'
import { CURRENCIES } from '../../../base/currencies.ts'
import { PERIODS, RULE_ACTIONS } from '../../../fraud/policy.ts'
import { Button } from '../../kit/html/controls.tsx'
import { fieldError, type FormErrors } from '../../kit/refusal.ts'
import { type RuleDraft, ruleField } from './draft.ts'
import { MEASURE_NAMES, policyProfileName, profilesText } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'

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
  const request = useRequest()
  const { fraud } = request.texts
  const part = { request, rule, place }
  const select = (name: SelectName, label: string, options: readonly Option[]) => (
    <SelectPart
      {...part}
      name={name}
      label={label}
      options={options}
      isFocused={isNew && name === 'measure'}
    />
  )
  return (
    <fieldset class="rule" id={`rule-${place + 1}`}>
      <legend>{fraud.rule(place + 1)}</legend>
      <div class="sentence">
        {fraud.ifWord}
        {select('measure', fraud.measure, optionsOf(MEASURE_NAMES, fraud.measures))}
        <span class="rule-window">
          {fraud.over}
          <TextPart {...part} name="periodCount" label={fraud.count} size={3} />
          {select('period', fraud.period, optionsOf(Object.keys(PERIODS) as Period[], fraud.periods))}
        </span>
        {fraud.exceeds}
        <TextPart {...part} name="threshold" label={fraud.threshold} size={8} />
        <span class="rule-part">
          {fraud.inWord}
          {select('currency', fraud.currency, currencyOptions(fraud.anyCurrency))}
        </span>
        <span class="rule-part">
          {fraud.onWord}
          <ProfilesPart {...part} />
        </span>
        {fraud.thenWord}
        {select('action', fraud.action, optionsOf(RULE_ACTIONS, fraud.actions))}
        <span class="rule-message">
          {fraud.andSay}
          <TextPart {...part} name="message" label={fraud.message} size={30} />
        </span>
      </div>
      <Problems place={place} errors={errors} />
      <RuleButtons place={place} count={count} />
    </fieldset>
  )
}

type Period = keyof typeof PERIODS
type Option = readonly [value: string, label: string]
type SelectName = 'measure' | 'period' | 'currency' | 'action'

const optionsOf = <Name extends string>(
  names: readonly Name[],
  labels: Readonly<Record<Name, string>>,
): Option[] => names.map((name) => [name, labels[name]])

const CODES = [...CURRENCIES.keys()].sort()
const currencyOptions = (any: string): Option[] => [['', any], ...CODES.map((code): Option => [code, code])]

interface PartProps {
  readonly rule: RuleDraft
  readonly place: number
}

interface LabelledProps {
  readonly id: string
  readonly label: string
  readonly children: ComponentChildren
}

const Labelled = ({ id, label, children }: LabelledProps) => (
  <span class="part">
    <label class="visually-hidden" for={id}>
      {label}
    </label>
    {children}
  </span>
)

interface SelectPartProps extends PartProps {
  readonly name: SelectName
  readonly label: string
  readonly options: readonly Option[]
  readonly isFocused: boolean
}

function SelectPart({ rule, place, name, label, options, isFocused }: SelectPartProps) {
  const id = `rule-${place}-${name}`
  return (
    <Labelled id={id} label={label}>
      <select id={id} name={ruleField(place, name)} autofocus={isFocused}>
        {options.map(([value, text]) => (
          <option value={value} selected={rule[name] === value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

interface TextPartProps extends PartProps {
  readonly name: 'periodCount' | 'threshold' | 'message'
  readonly label: string
  readonly size: number
}

function TextPart({ rule, place, name, label, size }: TextPartProps) {
  const id = `rule-${place}-${name}`
  return (
    <Labelled id={id} label={label}>
      <input
        id={id}
        name={ruleField(place, name)}
        value={rule[name]}
        size={size}
        maxlength={name === 'message' ? 1_000 : 20}
        inputmode={name === 'message' ? undefined : 'decimal'}
        autocomplete="off"
      />
    </Labelled>
  )
}

/** None ticked: all of them. */
function ProfilesPart({ rule, place }: PartProps) {
  const request = useRequest()
  const { app, texts } = request
  const chosen = rule.profiles.map(Number)
  return (
    <details class="part profiles-part">
      <summary>
        <span class="visually-hidden">{`${texts.fraud.providers}: `}</span>
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

type ProblemsProps = Pick<RuleProps, 'place' | 'errors'>

function Problems({ place, errors }: ProblemsProps) {
  const { texts } = useRequest()
  const { fraud } = texts
  const fields: readonly (readonly [string, string])[] = [
    ['measure', fraud.measure],
    ['periodCount', fraud.count],
    ['period', fraud.period],
    ['threshold', fraud.threshold],
    ['currency', fraud.currency],
    ['paymentProfiles', fraud.providers],
    ['action', fraud.action],
    ['message', fraud.message],
  ]
  return (
    <>
      {fields.map(([name, label]) => {
        const problem = fieldError(label, errors.of(`rules[${place}].${name}`))
        return problem ? <p class="error">{problem}</p> : null
      })}
    </>
  )
}

function RuleButtons({ place, count }: Pick<RuleProps, 'place' | 'count'>) {
  const request = useRequest()
  const { fraud } = request.texts
  const button = (verb: string, label: string, sign: string) => (
    <Button kind="quiet" name="act" value={`${verb}:${place}`}>
      <span class="visually-hidden">{label}</span>
      <span aria-hidden="true">{sign}</span>
    </Button>
  )
  return (
    <div class="row-buttons">
      {place > 0 && button('up', fraud.up(place + 1), '↑')}
      {place < count - 1 && button('down', fraud.down(place + 1), '↓')}
      {button('remove', fraud.removeRule(place + 1), '×')}
    </div>
  )
}
