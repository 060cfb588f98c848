import type { ComponentChildren } from 'preact'
import type { CustomerMethod as Method } from '../../../customers/methods.ts'
import { Button, Field, Hidden, LinkButton } from '../../kit/html/controls.tsx'
import { Card, Notice, Statement } from '../../kit/html/layout.tsx'
import type { PanelVisitor } from '../session.ts'
import { MethodSummary, type PanelRegistration, RegistrationText } from './home.tsx'

/** Pages about one method: remove it, stop automatic payments, verify it. */

/** Hidden for a link with one task: it has no overview. */
export function BackLink({ visitor }: { readonly visitor: PanelVisitor }) {
  if (visitor.grant.task !== undefined) return null
  return (
    <p>
      <a href="/p">{visitor.language.texts.panel.overview}</a>
    </p>
  )
}

interface ConfirmPageProps {
  readonly visitor: PanelVisitor
  readonly title: string
  readonly body: string
  readonly action: string
  readonly button: string
  readonly children?: ComponentChildren
}

/** Confirmation page for an action that cannot be undone. */
function ConfirmPage({ visitor, title, body, action, button, children }: ConfirmPageProps) {
  const { panel } = visitor.language.texts
  return (
    <div class="narrow">
      <Card>
        <h1>{title}</h1>
        <p>{body}</p>
        {children}
        <form method="post" action={action} class="pay-form" data-pay>
          <Hidden values={{ form: visitor.formId }} />
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
  readonly visitor: PanelVisitor
  readonly method: Method
  /** Automatic payments that end with the method. */
  readonly stops: readonly PanelRegistration[]
}

export function RemovePage({ visitor, method, stops }: RemoveProps) {
  const { panel, methods } = visitor.language.texts
  return (
    <ConfirmPage
      visitor={visitor}
      title={panel.removeTitle({ method: method.label })}
      body={panel.removeBody}
      action={`/p/methods/${method.paymentMethodId}/remove`}
      button={methods.removeButton({ method: method.label })}
    >
      {stops.length > 0 && (
        <div>
          <p>{panel.removeStops}</p>
          <ul class="rows">
            {stops.map((registration) => (
              <li>
                <RegistrationText visitor={visitor} registration={registration} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmPage>
  )
}

export function StopPage({
  visitor,
  registration,
}: {
  readonly visitor: PanelVisitor
  readonly registration: PanelRegistration
}) {
  const { panel } = visitor.language.texts
  const { method, tokenId } = registration
  const isLast = method.tokens.length === 1
  return (
    <ConfirmPage
      visitor={visitor}
      title={panel.stopTitle}
      body={panel.stopBody({ merchant: visitor.brand.name, method: method.label })}
      action={`/p/auto/${tokenId}/stop`}
      button={panel.stopYes}
    >
      <ul class="rows">
        <li>
          <RegistrationText visitor={visitor} registration={registration} />
        </li>
      </ul>
      {isLast && <p>{panel.stopRemoves({ method: method.label })}</p>}
    </ConfirmPage>
  )
}

export interface VerifyProps {
  readonly visitor: PanelVisitor
  readonly method: Method
  /** Result of the last submission. */
  readonly problem: 'wrong' | 'failed' | undefined
  readonly wrongFields: readonly string[]
  /** The correct amounts, in a sandbox only. */
  readonly testAmounts: readonly [number, number] | undefined
}

export function VerifyPage({ visitor, method, problem, wrongFields, testAmounts }: VerifyProps) {
  const { panel } = visitor.language.texts
  const problemTexts = { wrong: panel.verifyWrong, failed: panel.verifyAgain }
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
      <BackLink visitor={visitor} />
      <Card>
        <h1>{panel.verifyTitle}</h1>
        <MethodSummary method={method} />
        <p>{panel.verifyBody({ account: method.label })}</p>
        {problem && <Notice kind="bad" title={problemTexts[problem]} />}
        <form method="post" action={`/p/methods/${method.paymentMethodId}/verify`} class="pay-form" data-pay>
          <Hidden values={{ form: visitor.formId }} />
          <div class="pair">
            {field('first', panel.firstAmount)}
            {field('second', panel.secondAmount)}
          </div>
          {first && second && <p class="hint">{panel.testAmounts({ first, second })}</p>}
          <Button>{panel.verifyButton}</Button>
        </form>
      </Card>
    </div>
  )
}

/** The task of the link is complete. */
export function DonePage({
  visitor,
  flash,
}: {
  readonly visitor: PanelVisitor
  readonly flash: string | undefined
}) {
  const { panel, common } = visitor.language.texts
  return (
    <div class="narrow">
      <Card>
        <Statement icon="check" tone="ok" title={panel.done}>
          {flash && <p>{flash}</p>}
          <p>{panel.doneBody({ merchant: visitor.brand.name })}</p>
        </Statement>
        {visitor.grant.returnUrl && (
          <LinkButton href="/p/return">{common.returnTo({ merchant: visitor.brand.name })}</LinkButton>
        )}
      </Card>
    </div>
  )
}
