import { Field, type Wrong } from '../../kit/html/controls.tsx'
import { useOpenRequest } from '../../kit/screen.tsx'

interface FieldProps {
  readonly value?: string
  readonly error?: Wrong
}

/** The address that names an account. */
export const EmailField = ({ value = '', ...error }: FieldProps) => (
  <Field
    id="email"
    name="email"
    type="email"
    label={useOpenRequest().texts.account.email}
    autoComplete="username"
    value={value}
    required
    ltr
    {...error}
  />
)

/** The name of the person. */
export const NameField = (props: FieldProps) => (
  <Field
    id="name"
    name="name"
    label={useOpenRequest().texts.account.name}
    autoComplete="name"
    {...props}
    required
  />
)

export const NewPassword = (props: { readonly label: string; readonly error?: Wrong }) => (
  <Field
    id="password"
    name="password"
    type="password"
    hint={useOpenRequest().texts.account.passwordHint}
    autoComplete="new-password"
    required
    ltr
    {...props}
  />
)
