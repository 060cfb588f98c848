import type { VNode } from 'preact'
import type { Static, TSchema } from 'typebox'
import { invalid } from '../../base/errors.ts'
import { plainDecimal } from '../../base/presentation/typed-amount.ts'
import { createCheck } from '../../http/validate.ts'
import type { AppRequest } from './frame/request.ts'
import { SecretField } from './html/choices.tsx'
import { Checkbox, Field, type FieldProps, Select, type SelectOption, type Wrong } from './html/controls.tsx'
import { TextArea } from './html/forms.tsx'
import { errorsByField, type FormErrors } from './refusal.ts'
import type { PostedForm } from './request/form-body.ts'
import { useOpenRequest } from './screen.tsx'

/**
 * A form is a table of fields over a schema of the API. Each field has the name of a member; its values come
 * from the API's view, which has the same names, and its label and hint from the texts, by that name too.
 */
export interface FormField {
  readonly name: string
  /** The member of the view as the text of the field. */
  readonly stored: (member: unknown) => FieldValue
  readonly posted: (form: PostedForm) => FieldValue
  /** The member of the body. Undefined: the body has no such member. */
  readonly body: (value: FieldValue) => unknown
  /** What can be chosen. */
  readonly choices?: (request: AppRequest, value: string) => Choices | Promise<Choices>
  readonly render: (drawn: RenderedField) => VNode
}

/** A tick that is set is `yes`; a group of ticks has a list. */
type FieldValue = string | readonly string[]
type Choices = readonly SelectOption[]
export type FormValues = Readonly<Record<string, FieldValue>>

interface RenderedField {
  readonly label: string
  readonly hint?: string
  readonly error?: Wrong | undefined
  readonly value: string
  readonly values: readonly string[]
  readonly options: Choices
}

/** Texts of the fields, by the names of their members. */
export type FieldTexts = Readonly<Record<string, { readonly label: string; readonly hint?: string }>>

interface TextOptions extends Partial<Pick<FieldProps, 'id' | 'required' | 'maxLength' | 'ltr' | 'type'>> {
  readonly numeric?: boolean | 'decimal'
  readonly autoComplete?: string
  /** What an empty field stands for; the empty text by default. */
  readonly empty?: unknown
  /** The label says that the field may stay empty. */
  readonly optional?: boolean
}

/** Clears a member of a patch. */
export const CLEARED = { value: null } as const

const textOf = (member: unknown): string => (member === null || member === undefined ? '' : String(member))
const postedText = (name: string) => (posted: PostedForm) => (posted.form.get(name) ?? '').trim()
const orEmpty = (value: FieldValue, empty: unknown): unknown => (value === '' ? empty : value)

const OptionalField = (props: FieldProps) => (
  <Field
    {...props}
    label={`${props.label} (${useOpenRequest().texts.frame.optional})`}
    plainLabel={props.label}
  />
)

/** The items of a list, between spaces, commas or on lines of their own. */
const itemsOf = (value: FieldValue): string[] =>
  String(value)
    .split(/[\s,;]+/)
    .filter(Boolean)

/** A line of text. */
export const text = (
  name: string,
  { id = name, empty = '', optional = false, ...options }: TextOptions = {},
): FormField => ({
  name,
  stored: textOf,
  posted: postedText(name),
  body: (value) => orEmpty(value, empty),
  render({ options: _, values: __, ...drawn }) {
    const TextField = optional ? OptionalField : Field
    return <TextField id={id} name={name} {...drawn} {...options} />
  },
})

/** A whole number. The text itself where it is none, which the schema refuses. */
export const number = (name: string, options: TextOptions = {}): FormField => ({
  ...text(name, { numeric: true, empty: CLEARED, ...options }),
  body: (value) => {
    const digits = String(value)
    return /^\d{1,9}$/.test(digits) ? Number(digits) : orEmpty(digits, options.empty ?? CLEARED)
  },
})

/** An amount in either notation. The text itself where it is none, which the schema refuses. */
export const decimal = (name: string, { empty = '', ...options }: TextOptions = {}): FormField => ({
  ...text(name, { numeric: 'decimal', ...options }),
  body: (value) => orEmpty(plainDecimal(String(value), '.') ?? value, empty),
})

interface AreaOptions extends Pick<TextOptions, 'id' | 'required' | 'maxLength' | 'empty'> {
  readonly rows?: number
}

/** Several lines of text. */
const area = (name: string, { id = name, empty = '', ...options }: AreaOptions = {}): FormField => ({
  name,
  stored: textOf,
  posted: postedText(name),
  body: (value) => orEmpty(value, empty),
  render: ({ options: _, values: __, ...drawn }) => <TextArea id={id} name={name} {...drawn} {...options} />,
})

/** A list with one item a line. `member` names the text of items that the view shows as objects. */
export const lines = (name: string, { member, ...options }: AreaOptions & { member?: string } = {}) => ({
  ...area(name, options),
  stored: (items: unknown) =>
    (items as readonly unknown[])
      .map((item) => (member === undefined ? item : (item as Readonly<Record<string, unknown>>)[member]))
      .join('\n'),
  body: itemsOf,
})

/** A list of codes on one line, with spaces between them. */
export const codes = (name: string, options: TextOptions = {}): FormField => ({
  ...text(name, options),
  stored: (items) => ((items ?? []) as readonly string[]).join(' '),
  body: itemsOf,
})

/** A secret that is stored and never shown. Empty: it stays as it is. */
export const secret = (name: string, { id = name, required }: TextOptions = {}): FormField => ({
  name,
  stored: () => '',
  posted: postedText(name),
  body: (value) => orEmpty(value, undefined),
  render: ({ label, hint, error }) => (
    <SecretField id={id} name={name} label={label} hint={hint} error={error} required={required ?? false} />
  ),
})

interface ChoiceOptions extends Pick<TextOptions, 'id' | 'empty'> {
  /** One of the choices may be refused. Otherwise only a forged value is, which the whole form tells. */
  readonly canFail?: boolean
}

/** Choices whose labels are their values, such as currencies. */
export const codeOptions = (values: readonly string[]): Choices =>
  values.map((value) => ({ value, label: value }))

/** One of several. */
export const choice = (
  name: string,
  choices: NonNullable<FormField['choices']>,
  { id = name, empty = '', canFail = false }: ChoiceOptions = {},
): FormField => ({
  name,
  stored: textOf,
  posted: postedText(name),
  body: (value) => orEmpty(value, empty),
  choices,
  render: ({ values: _, error, ...drawn }) => (
    <Select id={id} name={name} {...drawn} {...(canFail && { error })} />
  ),
})

/** Yes or no. */
export const tick = (name: string, { id = name }: Pick<TextOptions, 'id'> = {}): FormField => ({
  name,
  stored: (member) => (member === true ? 'yes' : ''),
  posted: ({ form }) => (form.has(name) ? 'yes' : ''),
  body: (value) => value === 'yes',
  render: ({ label, value }) => (
    <Checkbox id={id} name={name} checked={value === 'yes'}>
      {label}
    </Checkbox>
  ),
})

/** Any of several, each a tick of its own. The member is the list of those that are set. */
export const ticks = (name: string, choices: NonNullable<FormField['choices']>, all: readonly string[]) =>
  ({
    name,
    stored: (member) => member as readonly string[],
    posted: ({ form }) => all.filter((one) => form.has(one)),
    body: (value) => value,
    choices,
    render: ({ values, options }) => (
      <>
        {options.map(({ value, label }) => (
          <Checkbox id={value} name={value} checked={values.includes(value)}>
            {label}
          </Checkbox>
        ))}
      </>
    ),
  }) satisfies FormField

/** The body that a form stands for, checked like the body of an API request. Throws 400 with the fields. */
export function checked<S extends TSchema>(schema: S, body: unknown): Static<S> {
  const errors = createCheck(schema)(body)
  if (errors.length > 0) throw invalid(errors)
  return body as Static<S>
}

export interface FormTable<S extends TSchema> {
  /** The values of the API's view. */
  stored(view: object): FormValues
  posted(form: PostedForm): FormValues
  /** What was posted, while a refused form is shown again; otherwise the values of the view. */
  values(call: PostedForm & { readonly isPost: boolean }, view: object): FormValues
  /** The body of the request that the form stands for. Throws 400 with the fields. */
  body(values: FormValues): Static<S>
  /** The errors of a refusal, by the names of the fields. */
  errors(problem: Parameters<typeof errorsByField>[0]): FormErrors
  /** The choices of all fields, read before the page is rendered. */
  choices(request: AppRequest, values: FormValues): Promise<Readonly<Record<string, Choices>>>
}

/** `inside` is the member of the schema and of the view whose members the fields are. */
export function form<S extends TSchema>(
  schema: S,
  fields: readonly FormField[],
  inside?: string,
): FormTable<S> {
  const each = <V,>(value: (field: FormField) => V) =>
    Object.fromEntries(fields.map((field) => [field.name, value(field)]))
  const ofView = (view: object) => {
    const members = view as Readonly<Record<string, unknown>>
    const own = (inside === undefined ? members : members[inside]) as typeof members
    return each(({ name, stored }) => stored(own[name]))
  }
  const ofForm = (posted: PostedForm) => each((field) => field.posted(posted))
  return {
    stored: ofView,
    posted: ofForm,
    values: (call, view) => (call.isPost ? ofForm(call) : ofView(view)),
    body(values) {
      const members = each(({ name, body }) => body(values[name] ?? ''))
      const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
      return checked(schema, inside === undefined ? given : { [inside]: given })
    },
    errors: (problem) => errorsByField(problem, inside === undefined ? undefined : `${inside}.`),
    async choices(request, values) {
      const found = fields.map(
        async ({ name, choices }) => [name, (await choices?.(request, textOf(values[name]))) ?? []] as const,
      )
      return Object.fromEntries(await Promise.all(found))
    },
  }
}

interface FieldsProps {
  readonly fields: readonly FormField[]
  readonly texts: FieldTexts
  readonly values: FormValues
  readonly errors: FormErrors
  readonly choices?: Readonly<Record<string, Choices>>
}

/** The fields with their labels, values and errors. */
export const Fields = ({ fields, texts, values, errors, choices = {} }: FieldsProps) => (
  <>
    {fields.map(({ name, render }) => {
      const value = values[name] ?? ''
      return render({
        label: '',
        ...texts[name],
        ...errors.for(name),
        value: typeof value === 'string' ? value : '',
        values: typeof value === 'string' ? [] : value,
        options: choices[name] ?? [],
      })
    })}
  </>
)
