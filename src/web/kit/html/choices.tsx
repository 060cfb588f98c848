import type { ComponentChildren } from 'preact'
import { ErrorLine, type Wrong } from './controls.tsx'

interface Choice {
  readonly value: string
  readonly label: ComponentChildren
  readonly isChecked: boolean
}

interface CheckGroupProps {
  readonly legend: string
  readonly hint?: string | undefined
  readonly name: string
  readonly choices: readonly Choice[]
  readonly error?: Wrong | undefined
}

/** Several of a few. Hint and error are announced with the group. */
export const CheckGroup = ({ legend, hint, name, choices, error }: CheckGroupProps) => (
  <fieldset class="check-group" aria-describedby={hint ? `${name}-hint ${name}-error` : `${name}-error`}>
    <legend>{legend}</legend>
    {hint && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {choices.map(({ value, label, isChecked }) => (
      <label class="check">
        <input type="checkbox" name={name} value={value} checked={isChecked} />
        <span>{label}</span>
      </label>
    ))}
    <ErrorLine id={name} label={legend} error={error} />
  </fieldset>
)

interface SecretFieldProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: Wrong | undefined
  readonly required?: boolean
}

/** A secret to be stored: never filled in by the page. */
export const SecretField = ({ id, name, label, hint, error, required }: SecretFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="input">
      <input
        id={id}
        name={name}
        type="password"
        autocomplete="new-password"
        spellcheck={false}
        dir="ltr"
        maxlength={2_000}
        required={required}
        aria-describedby={`${id}-hint ${id}-error`}
        aria-invalid={error ? 'true' : undefined}
      />
    </div>
    <p class="hint" id={`${id}-hint`}>
      {hint}
    </p>
    <ErrorLine id={id} label={label} error={error} />
  </div>
)
