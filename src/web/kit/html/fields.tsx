import { CARD_BRANDS, type CardProblem } from '../../../base/cards/form.ts'
import type { FieldsForm } from '../../../providers/fields.ts'
import type { PageTexts } from '../i18n/languages.ts'
import { Button, Field, Select } from './controls.tsx'
import { Notice } from './layout.tsx'

/** The provider's fields. The browser sends the values directly to the provider, never to this service. */

export interface FieldsProps {
  readonly texts: PageTexts
  readonly form: FieldsForm
  /** Errors reported by the provider, if the form was sent without script. */
  readonly problems: readonly string[]
  readonly payerName: string | undefined
  /** Prefix that makes element ids unique across the forms of a page. */
  readonly prefix: string
}

const CARD_FIELDS = ['number', 'expiry', 'code', 'name'] as const

/** Error text for a problem. The script receives all of them with the form. */
function cardText({ card }: PageTexts, problem: CardProblem, brand: string, digits: number): string {
  if (problem === 'brandRefused') return card.brandRefused({ brand })
  return problem === 'codeWrong' ? card.codeWrong({ digits }) : card[problem]
}

const isCardProblem = (problem: string, texts: PageTexts): problem is CardProblem =>
  CARD_FIELDS.some((field) => problem.startsWith(field) || problem === 'brandRefused') &&
  problem in texts.card

const fieldOf = (problem: string): string =>
  problem === 'brandRefused' ? 'number' : (/^[a-z]+/.exec(problem)?.[0] ?? '')

/** Id and error of a field, by its name. */
interface FieldAttributes {
  readonly id: (field: string) => string
  readonly error: (field: string) => { readonly error?: string }
}

const fieldAttributes = (prefix: string, errors: ReadonlyMap<string, string>): FieldAttributes => ({
  id: (field) => `${prefix}-${field}`,
  error: (field) => {
    const text = errors.get(field)
    return text === undefined ? {} : { error: text }
  },
})

export function CardFields({ texts, form, problems, payerName, prefix }: FieldsProps) {
  const { card } = texts
  const brands = form.brands ?? CARD_BRANDS.map(({ name }) => name)
  const errors = new Map(
    problems
      .filter((problem) => isCardProblem(problem, texts))
      .map((problem) => [fieldOf(problem), cardText(texts, problem as CardProblem, card.number, 3)]),
  )
  const attributes = fieldAttributes(prefix, errors)
  return (
    <>
      <ProblemSummary texts={texts} errors={errors} id={attributes.id} />
      <Field
        id={attributes.id('number')}
        name="number"
        label={card.number}
        hint={card.accepted({ brands: brands.join(', ') })}
        autoComplete="cc-number"
        numeric
        ltr
        required
        maxLength={40}
        data={{ 'data-field': 'number' }}
        beside={<output class="brand-of-card" for={attributes.id('number')} aria-live="polite" />}
        {...attributes.error('number')}
      />
      <ExpiryAndCode texts={texts} attributes={attributes} />
      <Field
        id={attributes.id('name')}
        name="name"
        label={card.name}
        autoComplete="cc-name"
        required
        maxLength={100}
        data={{ 'data-field': 'name' }}
        {...(payerName ? { value: payerName } : {})}
        {...attributes.error('name')}
      />
    </>
  )
}

function ExpiryAndCode({
  texts,
  attributes,
}: {
  readonly texts: PageTexts
  readonly attributes: FieldAttributes
}) {
  const { card } = texts
  const digits = { numeric: true, ltr: true, required: true }
  return (
    <div class="pair">
      <Field
        id={attributes.id('expiry')}
        name="expiry"
        label={card.expiry}
        placeholder={card.expiryHint}
        autoComplete="cc-exp"
        {...digits}
        maxLength={12}
        data={{ 'data-field': 'expiry' }}
        {...attributes.error('expiry')}
      />
      <Field
        id={attributes.id('code')}
        name="code"
        label={card.code}
        autoComplete="cc-csc"
        {...digits}
        maxLength={4}
        data={{ 'data-field': 'code' }}
        {...attributes.error('code')}
      />
    </div>
  )
}

/** Error summary with links to the fields, for a form sent without script. */
function ProblemSummary(props: {
  readonly texts: PageTexts
  readonly errors: ReadonlyMap<string, string>
  readonly id: (field: string) => string
}) {
  if (props.errors.size === 0) return null
  return (
    <Notice kind="bad" title={props.texts.card.problems}>
      <ul class="problems">
        {[...props.errors].map(([field, text]) => (
          <li>
            <a href={`#${props.id(field)}`}>{text}</a>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** All error texts for the script, by problem. */
export function cardTexts(texts: PageTexts): string {
  const { card } = texts
  return JSON.stringify({
    numberEmpty: card.numberEmpty,
    numberIncomplete: card.numberIncomplete,
    numberWrong: card.numberWrong,
    brandRefused: card.brandRefused({ brand: '{brand}' }),
    expiryEmpty: card.expiryEmpty,
    expiryWrong: card.expiryWrong,
    expiryPast: card.expiryPast,
    codeEmpty: card.codeEmpty,
    codeWrong3: card.codeWrong({ digits: 3 }),
    codeWrong4: card.codeWrong({ digits: 4 }),
    nameEmpty: card.nameEmpty,
  })
}

export function BankFields({ texts, problems, payerName, prefix }: FieldsProps) {
  const { bank } = texts
  const messages: Readonly<Record<string, string>> = {
    routing: bank.routingWrong,
    account: bank.accountWrong,
    name: bank.nameEmpty,
  }
  const errors = new Map(
    problems.flatMap((problem) => {
      const text = messages[fieldOf(problem)]
      return text ? [[fieldOf(problem), text] as const] : []
    }),
  )
  const { id, error } = fieldAttributes(prefix, errors)
  const digits = { numeric: true, ltr: true, required: true, maxLength: 20 }
  return (
    <>
      <ProblemSummary texts={texts} errors={errors} id={id} />
      <Field id={id('routing')} name="routing" label={bank.routing} {...digits} {...error('routing')} />
      <Field id={id('account')} name="account" label={bank.account} {...digits} {...error('account')} />
      <Select
        id={id('type')}
        name="type"
        label={bank.type}
        options={[
          { value: 'checking', label: bank.checking },
          { value: 'savings', label: bank.savings },
        ]}
      />
      <Field
        id={id('name')}
        name="name"
        label={bank.name}
        autoComplete="name"
        required
        maxLength={100}
        {...(payerName ? { value: payerName } : {})}
        {...error('name')}
      />
    </>
  )
}

/** Test values of a sandbox. The script fills them in; without script they can be copied. */
export function TestValues({
  title,
  texts,
  form,
}: Pick<FieldsProps, 'texts' | 'form'> & { readonly title: string }) {
  if (!form.testValues || form.testValues.length === 0) return null
  return (
    <details class="test-values">
      <summary>{title}</summary>
      <ul>
        {form.testValues.map(({ label, description, fields }) => (
          <li>
            <span>
              <bdi class="number">{label}</bdi> <span class="muted">{description}</span>
            </span>
            <Button kind="quiet" type="button" hidden data={{ 'data-fill': JSON.stringify(fields) }}>
              {texts.card.testCardUse({ number: label.slice(-4) })}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
