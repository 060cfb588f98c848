import type { ComponentChildren } from 'preact'
import { hasFreshProof } from '../../../people/sessions/sessions.ts'
import { proofUrl } from '../frame/proof.ts'
import { usePersonRequest } from '../screen.tsx'
import { Button, ErrorLine, Hidden, LinkButton, type Wrong } from './controls.tsx'
import { Notice } from './layout.tsx'

/**
 * Actions without script: a button leads to a page that asks (`AskButton`), and its form does it. With script
 * the same page opens as a dialog. Actions that need no question post at once (`PostButton`).
 */

interface FormProps {
  readonly action: string
  readonly children: ComponentChildren
  readonly hidden?: Readonly<Record<string, string>>
  readonly class?: string
  readonly id?: string
  /** The form carries files. */
  readonly hasFiles?: boolean
  /** The text of the button below the fields. */
  readonly button?: string
  readonly buttonKind?: 'primary' | 'quiet'
}

/** A form that posts, with the id that proves it is ours. */
export const Form = ({ action, children, hidden = {}, class: extra, id, ...props }: FormProps) => {
  const request = usePersonRequest()
  const { hasFiles, button, buttonKind = 'primary' } = props
  return (
    <form
      method="post"
      action={action}
      class={extra ?? 'stack'}
      id={id}
      enctype={hasFiles ? 'multipart/form-data' : undefined}
    >
      <Hidden values={{ form: request.formId, ...hidden }} />
      {children}
      {button && (
        <div class="buttons">
          <Button kind={buttonKind}>{button}</Button>
        </div>
      )}
    </form>
  )
}

interface QuestionButtonProps {
  /** The page that asks; opened as a dialog where script runs. */
  readonly href: string
  readonly children: ComponentChildren
  readonly kind?: 'primary' | 'quiet' | 'danger'
  /** Shortcut on this page. */
  readonly shortcut?: string | undefined
  /** Why the action is not possible now: the button is shown disabled with this reason. */
  readonly disabled?: string | undefined
  /** For screen readers, where several buttons have the same text. It begins with that text. */
  readonly label?: string
}

export function QuestionButton({
  href,
  children,
  kind = 'quiet',
  shortcut,
  disabled,
  label,
}: QuestionButtonProps) {
  const [path = '', query = ''] = href.split('?')
  if (disabled !== undefined)
    return (
      <button class={`button ${kind}`} type="button" disabled title={disabled}>
        {children}
      </button>
    )
  return (
    <form method="get" action={path} data-dialog="yes" class="inline">
      <Hidden values={Object.fromEntries(new URLSearchParams(query))} />
      <button class={`button ${kind}`} type="submit" data-key={shortcut} aria-label={label}>
        {children}
      </button>
    </form>
  )
}

interface GetButtonProps {
  readonly href: string
  readonly children: ComponentChildren
  readonly kind?: 'primary' | 'quiet'
  readonly shortcut?: string
}

/** A button that leads to another page or a file, with the query of the address. */
export function GetButton({ href, children, kind = 'quiet', shortcut }: GetButtonProps) {
  const [path = '', query = ''] = href.split('?')
  return (
    <form method="get" action={path} class="inline">
      <Hidden values={Object.fromEntries(new URLSearchParams(query))} />
      <button class={`button ${kind}`} type="submit" data-key={shortcut}>
        {children}
      </button>
    </form>
  )
}

interface PostButtonProps extends Omit<FormProps, 'class'> {
  readonly kind?: 'primary' | 'quiet' | 'danger'
  readonly label?: string
  /** What it acts on, as a description: the name of the button stays its text. */
  readonly about?: string
}

export const PostButton = ({ kind = 'quiet', children, label, about, ...form }: PostButtonProps) => (
  <Form {...form} class="inline">
    <button class={`button ${kind}`} type="submit" aria-label={label} title={about}>
      {children}
    </button>
  </Form>
)

interface SaveButtonProps {
  /** The page that shows the form. */
  readonly page: string
  readonly children: ComponentChildren
}

/** Saves a form that asks for a proof. Without one the proof comes first, so that nothing typed is lost. */
export const SaveButton = ({ page, children }: SaveButtonProps) => {
  const request = usePersonRequest()
  return hasFreshProof(request.person, request.now) ? (
    <Button>{children}</Button>
  ) : (
    <LinkButton kind="quiet" href={proofUrl(page)}>
      {request.texts.profile.proofTitle}
    </LinkButton>
  )
}

interface QuestionProps {
  readonly action: string
  /** The confirming button: begins with the verb of the button that led here. */
  readonly button: string
  readonly kind?: 'primary' | 'danger'
  /** For script, such as the amount that the button follows. */
  readonly buttonData?: Readonly<Record<`data-${string}`, string>> | undefined
  /** Why it cannot be done now: the button is off. */
  readonly obstacle?: string | undefined
  /** Where "Cancel" leads. */
  readonly back: string
  /** Instead of "Cancel", where that would be taken for the action. */
  readonly backLabel?: string | undefined
  readonly children: ComponentChildren
  readonly hidden?: Readonly<Record<string, string>>
}

/** The content of a page that asks. `data-dialog-body` marks what a dialog shows. */
export const Question = ({ action, button, kind = 'primary', back, children, ...props }: QuestionProps) => {
  const request = usePersonRequest()
  return (
    <section class="card ask" data-dialog-body="yes">
      <Form action={action} hidden={props.hidden ?? {}}>
        {props.obstacle && <Notice kind="info" title={props.obstacle} />}
        {children}
        <div class="buttons">
          <Button kind={kind} data={props.buttonData ?? {}} disabled={props.obstacle !== undefined}>
            {button}
          </Button>
          <a class="button quiet" href={back} data-dialog-close="yes">
            {props.backLabel ?? request.texts.frame.cancel}
          </a>
        </div>
      </Form>
    </section>
  )
}

interface AreaProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly error?: Wrong | undefined
  readonly value?: string
  readonly rows?: number
  readonly maxLength?: number
  readonly required?: boolean
  readonly readonly?: boolean
}

export const TextArea = ({ id, label, hint, error, value, maxLength, ...rest }: AreaProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="input">
      <textarea
        {...rest}
        id={id}
        maxlength={maxLength}
        aria-describedby={hint ? `${id}-hint ${id}-error` : `${id}-error`}
        aria-invalid={error ? 'true' : undefined}
      >
        {value}
      </textarea>
    </div>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    <ErrorLine id={id} label={label} error={error} />
  </div>
)

/** The code of the second factor, where the app asks for one. */
export const OtpField = ({ error }: { readonly error?: Wrong | undefined }) => {
  const request = usePersonRequest()
  return (
    <div class="field">
      <label for="otp">{request.texts.frame.otp}</label>
      <div class="input">
        <input
          id="otp"
          name="otpCode"
          inputmode="numeric"
          autocomplete="one-time-code"
          maxlength={12}
          required
          aria-describedby="otp-hint otp-error"
          aria-invalid={error ? 'true' : undefined}
        />
      </div>
      <p class="hint" id="otp-hint">
        {request.texts.frame.otpHint}
      </p>
      <ErrorLine id="otp" label={request.texts.frame.otp} error={error} />
    </div>
  )
}
