import type { ComponentChildren } from 'preact'
import { Fields, type FormField } from '../../kit/form.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { fieldsOf } from './fields.ts'

/** Fields with what was typed into them. */
export function Typed({
  shown,
  errors,
}: {
  readonly shown: readonly FormField[]
  readonly errors: FormErrors
}) {
  const request = useRequest()
  const { text } = fieldsOf(request)
  const values = Object.fromEntries(shown.map(({ name }) => [name, text(name)]))
  return <Fields fields={shown} texts={request.texts.links.fields} values={values} errors={errors} />
}

interface RadioProps {
  readonly name: string
  readonly value: string
  readonly isChecked: boolean
  readonly children: ComponentChildren
}

export const Radio = ({ name, value, isChecked, children }: RadioProps) => (
  <label class="check">
    <input type="radio" name={name} value={value} checked={isChecked} autocomplete="off" />
    <span>{children}</span>
  </label>
)
