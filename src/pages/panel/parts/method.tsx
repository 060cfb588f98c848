import type { ComponentChildren } from 'preact'
import type { CustomerMethod as Method } from '../../../customers/methods.ts'
import { Button, Field, Hidden, LinkButton } from '../../ui/controls.tsx'
import { Card, Notice, Statement } from '../../ui/layout.tsx'
import type { Guest } from '../session.ts'
import { Described, type Registered, RegisteredText } from './home.tsx'

/** Pages about one method: what it takes to remove it, to stop its charges, to confirm it. */

/** A link for one task has no overview to go back to. */
export function BackLink({ guest }: { readonly guest: Guest }) {
  if (guest.grant.task !== undefined) return null
  return (
    <p>
      <a href="/p">{guest.language.words.panel.overview}</a>
    </p>
  )
}

interface AskProps {
  readonly guest: Guest
  readonly title: string
  readonly body: string
  readonly action: string
  readonly button: string
  readonly children?: ComponentChildren
}

/** What cannot be taken back is asked about on a page of its own. */
function Ask({ guest, title, body, action, button, children }: AskProps) {
  const { panel } = guest.language.words
  return (
    <div class="narrow">
      <Card>
        <h1>{title}</h1>
        <p>{body}</p>
        {children}
        <form method="post" action={action} class="pay-form" data-pay>
          <Hidden values={{ form: guest.formId }} />
          <Button kind="danger">{button}</Button>
        </form>
        <LinkButton href="/p" kind="quiet">
          {panel.keepIt}
        </LinkButton>
      </Card>
    </div>
  )
}

interface RemoveProps {
  readonly guest: Guest
  readonly method: Method
  /** What the merchant charges with it. */
  readonly stops: readonly Registered[]
}

export function RemovePage({ guest, method, stops }: RemoveProps) {
  const { panel, methods } = guest.language.words
  return (
    <Ask
      guest={guest}
      title={panel.removeTitle(method.label)}
      body={panel.removeBody}
      action={`/p/methods/${method.paymentMethodId}/remove`}
      button={methods.removeButton(method.label)}
    >
      {stops.length > 0 && (
        <div>
          <p>{panel.removeStops}</p>
          <ul class="rows">
            {stops.map((registered) => (
              <li>
                <RegisteredText guest={guest} registered={registered} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Ask>
  )
}

export function StopPage({ guest, registered }: { readonly guest: Guest; readonly registered: Registered }) {
  const { panel } = guest.language.words
  const { method, tokenId } = registered
  const isLast = method.tokens.length === 1
  return (
    <Ask
      guest={guest}
      title={panel.stopTitle}
      body={panel.stopBody(guest.brand.name, method.label)}
      action={`/p/auto/${tokenId}/stop`}
      button={panel.stopYes}
    >
      <ul class="rows">
        <li>
          <RegisteredText guest={guest} registered={registered} />
        </li>
      </ul>
      {isLast && <p>{panel.stopRemoves(method.label)}</p>}
    </Ask>
  )
}

export interface VerifyProps {
  readonly guest: Guest
  readonly method: Method
  /** What is wrong with what was typed. */
  readonly problem: 'wrong' | 'failed' | undefined
  readonly wrongFields: readonly string[]
  /** In a sandbox: those that are right. */
  readonly testAmounts: readonly [number, number] | undefined
}

export function VerifyPage({ guest, method, problem, wrongFields, testAmounts }: VerifyProps) {
  const { panel } = guest.language.words
  const said = { wrong: panel.verifyWrong, failed: panel.verifyAgain }
  const field = (name: string, label: string) => (
    <Field
      id={name}
      name={name}
      label={label}
      hint={panel.amountHint}
      numeric
      ltr
      required
      maxLength={6}
      {...(wrongFields.includes(name) ? { error: panel.amountWrong } : {})}
    />
  )
  const [first, second] = (testAmounts ?? []).map((amount) => (amount / 100).toFixed(2))
  return (
    <div class="narrow">
      <BackLink guest={guest} />
      <Card>
        <h1>{panel.verifyTitle}</h1>
        <Described method={method} />
        <p>{panel.verifyBody(method.label)}</p>
        {problem && <Notice kind="bad" title={said[problem]} />}
        <form method="post" action={`/p/methods/${method.paymentMethodId}/verify`} class="pay-form" data-pay>
          <Hidden values={{ form: guest.formId }} />
          <div class="pair">
            {field('first', panel.firstAmount)}
            {field('second', panel.secondAmount)}
          </div>
          {first && second && <p class="hint">{panel.testAmounts(first, second)}</p>}
          <Button>{panel.verifyButton}</Button>
        </form>
      </Card>
    </div>
  )
}

/** The one task of the link is done. */
export function DonePage({ guest, note }: { readonly guest: Guest; readonly note: string | undefined }) {
  const { panel, common } = guest.language.words
  return (
    <div class="narrow">
      <Card>
        <Statement icon="check" tone="ok" title={panel.done}>
          {note && <p>{note}</p>}
          <p>{panel.doneBody(guest.brand.name)}</p>
        </Statement>
        {guest.grant.returnUrl && (
          <LinkButton href="/p/return">{common.returnTo(guest.brand.name)}</LinkButton>
        )}
      </Card>
    </div>
  )
}
