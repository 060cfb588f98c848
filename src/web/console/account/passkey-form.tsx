import type { ComponentChildren } from 'preact'
import type { OpenRequest } from '../../kit/frame/request.ts'
import { Button, Hidden } from '../../kit/html/controls.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useOpenRequest } from '../../kit/screen.tsx'

interface PasskeyFormProps {
  readonly kind: 'create' | 'get'
  readonly action: string
  /** Answers with the options for the authenticator. */
  readonly options: string
  readonly button: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly children?: ComponentChildren
}

/** Shown only where script and WebAuthn are there. */
export const PasskeyForm = ({ kind, action, options, button, hidden = {}, children }: PasskeyFormProps) => {
  const request = useOpenRequest()
  return (
    <form method="post" action={action} class="stack" data-passkey={kind} data-options={options}>
      <Hidden values={{ ...hidden, state: '', response: '' }} />
      {children}
      <Button kind={kind === 'create' ? 'primary' : 'quiet'}>{button}</Button>
      <p class="error" role="alert" data-passkey-failed={request.texts.account.passkeyFailed} />
    </form>
  )
}

/** What the authenticator answered, as the form holds it. Text that is no JSON is a wrong answer. */
export function passkeyAnswer({ call }: OpenRequest): { readonly state: string; readonly response: unknown } {
  return { state: call.form.get('state') ?? '', response: parsed(call.form.get('response') ?? '') }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const jsonAnswer = (value: object): PageAnswer => ({
  file: JSON.stringify(value),
  type: 'application/json; charset=utf-8',
})
