import type { ComponentChildren } from 'preact'
import type { CustomerMethod as Method } from '../../../customers/methods.ts'
import { Button, Field, Hidden, LinkButton } from '../../ui/controls.tsx'
import { Card, Notice, Statement } from '../../ui/layout.tsx'
import type { PanelVisitor } from '../session.ts'
import { Described, RegisteredText, type Registration } from './home.tsx'

/** Pages about one method: what it takes to remove it, to stop its charges, to confirm it. */

/** A link for one task has no overview to go back to. */
export function BackLink({ visitor }: { readonly visitor: PanelVisitor }) {
  if (visitor.grant.task !== undefined) return null
  return (
    <p>
      <a href="/p">{visitor.language.texts.panel.overview}</a>
    </p>
  )
}

interface AskProps {
  readonly visitor: PanelVisitor
  readonly title: string
  readonly body: string
  readonly action: string
  readonly button: string
  readonly children?: ComponentChildren
}

/** What cannot be taken back is asked about on a page of its own. */
function Ask({ visitor, title, body, action, button, children }: AskProps) {
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
  /** What the merchant charges with it. */
  readonly stops: readonly Registration[]
}

export function RemovePage({ visitor, method, stops }: RemoveProps) {
  const { panel, methods } = visitor.language.texts
  return (
    <Ask
      visitor={visitor}
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
                <RegisteredText visitor={visitor} registered={registered} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Ask>
  )
}

export function StopPage({
  visitor,
  registered,
}: {
  readonly visitor: PanelVisitor
  readonly registered: Registration
}) {
  const { panel } = visitor.language.texts
  const { method, tokenId } = registered
  const isLast = method.tokens.length === 1
  return (
    <Ask
      visitor={visitor}
      title={panel.stopTitle}
      body={panel.stopBody(visitor.brand.name, method.label)}
      action={`/p/auto/${tokenId}/stop`}
      button={panel.stopYes}
    >
      <ul class="rows">
        <li>
          <RegisteredText visitor={visitor} registered={registered} />
        </li>
      </ul>
      {isLast && <p>{panel.stopRemoves(method.label)}</p>}
    </Ask>
  )
}

export interface VerifyProps {
  readonly visitor: PanelVisitor
  readonly method: Method
  /** What is wrong with what was typed. */
  readonly problem: 'wrong' | 'failed' | undefined
  readonly wrongFields: readonly string[]
  /** In a sandbox: those that are right. */
  readonly testAmounts: readonly [number, number] | undefined
}

export function VerifyPage({ visitor, method, problem, wrongFields, testAmounts }: VerifyProps) {
  const { panel } = visitor.language.texts
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
      <BackLink visitor={visitor} />
      <Card>
        <h1>{panel.verifyTitle}</h1>
        <Described method={method} />
        <p>{panel.verifyBody(method.label)}</p>
        {problem && <Notice kind="bad" title={said[problem]} />}
        <form method="post" action={`/p/methods/${method.paymentMethodId}/verify`} class="pay-form" data-pay>
          <Hidden values={{ form: visitor.formId }} />
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
          <p>{panel.doneBody(visitor.brand.name)}</p>
        </Statement>
        {visitor.grant.returnUrl && (
          <LinkButton href="/p/return">{common.returnTo(visitor.brand.name)}</LinkButton>
        )}
      </Card>
    </div>
  )
}
