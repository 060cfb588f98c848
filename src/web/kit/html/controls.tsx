import type { ComponentChildren } from 'preact'
import type { FieldError } from '../../../base/errors.ts'
import { mistakeIn } from '../../../base/mistakes.ts'
import { useOpenRequest } from '../screen.tsx'

/** Form controls. Pure functions of their props that work without script. */

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly kind?: 'primary' | 'quiet' | 'danger'
  readonly name?: string
  readonly value?: string
  /** Shown while the form is being sent. */
  readonly busyText?: string
  readonly type?: 'submit' | 'button'
  readonly hidden?: boolean
  readonly disabled?: boolean
  readonly id?: string
  readonly data?: Readonly<Record<`data-${string}`, string>>
}

export function Button({
  children,
  kind = 'primary',
  busyText,
  type = 'submit',
  data,
  ...rest
}: ButtonProps) {
  return (
    <button class={`button ${kind}`} type={type} data-busy={busyText} {...data} {...rest}>
      {children}
    </button>
  )
}

interface ActButtonProps {
  readonly act: string
  readonly text: string
  /** Shown instead, such as ↑: the text is for screen readers then. */
  readonly sign?: string
  readonly kind?: 'primary' | 'quiet'
}

/** A button of a form that has several: the field `act` tells which was pressed. */
export const ActButton = ({ act, text, sign, kind = 'quiet' }: ActButtonProps) => (
  <Button kind={kind} name="act" value={act}>
    {sign === undefined ? text : <span class="visually-hidden">{text}</span>}
    {sign !== undefined && <span aria-hidden="true">{sign}</span>}
  </Button>
)

export interface LinkButtonProps {
  readonly href: string
  readonly children: ComponentChildren
  readonly kind?: 'primary' | 'quiet'
  readonly id?: string
}

export function LinkButton({ href, children, kind = 'primary', id }: LinkButtonProps) {
  return (
    <a class={`button ${kind}`} href={href} rel="noreferrer" id={id}>
      {children}
    </a>
  )
}

export interface FieldProps {
  readonly id: string
  readonly name: string
  readonly label: string
  /** Its name in an error, where the label says more. */
  readonly plainLabel?: string
  readonly hint?: string
  readonly error?: Wrong | undefined
  readonly value?: string
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'url' | 'date' | 'search'
  readonly autoComplete?: string
  /** `decimal`: with a decimal separator on the keyboard of a phone. */
  readonly numeric?: boolean | 'decimal'
  /** Numbers and addresses read from left to right in every language. */
  readonly ltr?: boolean
  readonly placeholder?: string
  readonly required?: boolean
  readonly maxLength?: number
  readonly pattern?: string
  /** Shown beside the field, such as the card brand. */
  readonly beside?: ComponentChildren
  readonly data?: Readonly<Record<`data-${string}`, string>>
}

/** What is wrong with a field: a sentence of the page, or the error of a command. */
export type Wrong = string | FieldError

interface ErrorLineProps {
  readonly id: string
  readonly label: string
  readonly error: Wrong | undefined
}

/** The place of the error of a field. An error of a command is shown in the language of the page. */
export const ErrorLine = ({ id, label, error }: ErrorLineProps) => (
  <p class="error" id={`${id}-error`}>
    {typeof error === 'object' ? <Sentence label={label} error={error} /> : error}
  </p>
)

function Sentence({ label, error }: { readonly label: string; readonly error: FieldError }) {
  const { mistakes } = useOpenRequest().texts
  return <>{error.mistake ? mistakeIn(mistakes, label, error.mistake) : error.message}</>
}

/** A field with label, hint and error text. */
export function Field(props: FieldProps) {
  const {
    id,
    label,
    plainLabel,
    hint,
    error,
    beside,
    numeric,
    ltr,
    data,
    autoComplete,
    maxLength,
    ...input
  } = props
  // Preact types inputs as a union by `type`; all types used here are textual.
  const attributes: object = { type: 'text', ...input, ...data }
  const describedBy = [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input">
        <input
          {...attributes}
          id={id}
          autocomplete={autoComplete ?? 'off'}
          autocorrect="off"
          autocapitalize="off"
          spellcheck={false}
          inputmode={numeric === 'decimal' ? 'decimal' : numeric ? 'numeric' : undefined}
          dir={ltr ? 'ltr' : undefined}
          maxlength={maxLength}
          aria-describedby={describedBy}
          aria-invalid={error ? 'true' : undefined}
        />
        {beside}
      </div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <ErrorLine id={id} label={plainLabel ?? label} error={error} />
    </div>
  )
}

export interface SelectProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly options: readonly SelectOption[]
  readonly value?: string
  readonly hint?: string | undefined
  /** Given, though undefined: the field has a place for its problem. */
  readonly error?: Wrong | undefined
}

export interface SelectOption {
  readonly value: string
  readonly label: string
}

export function Select(props: SelectProps) {
  const { id, name, label, options, value, hint, error } = props
  const hasError = 'error' in props
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input">
        <select
          id={id}
          name={name}
          aria-describedby={
            [hint && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ') || undefined
          }
          aria-invalid={error ? 'true' : undefined}
        >
          {options.map((option) => (
            <option value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {hasError && <ErrorLine id={id} label={label} error={error} />}
    </div>
  )
}

export function Checkbox(props: {
  readonly id: string
  readonly name: string
  readonly children: ComponentChildren
  readonly checked?: boolean
}) {
  const { id, name, checked } = props
  return (
    <label class="check" for={id}>
      <input type="checkbox" id={id} name={name} value="yes" checked={checked} />
      <span>{props.children}</span>
    </label>
  )
}

export function Hidden({ values }: { readonly values: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

export interface ConfirmProps {
  readonly summary: string
  readonly question: string
  readonly action: string
  readonly button: string
  readonly kind?: 'danger' | 'quiet'
  readonly hidden?: Readonly<Record<string, string>>
}

/** An action that needs two clicks, to prevent accidents: open, then confirm. Works without script. */
export function Confirm({ summary, question, action, button, kind = 'danger', hidden = {} }: ConfirmProps) {
  return (
    <details class="confirm">
      <summary>{summary}</summary>
      <form method="post" action={action} class="confirm-body">
        <p>{question}</p>
        <Hidden values={hidden} />
        <Button kind={kind}>{button}</Button>
      </form>
    </details>
  )
}
