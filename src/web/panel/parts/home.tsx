import type { ComponentChildren } from 'preact'
import type { CustomerMethod as Method } from '../../../customers/methods.ts'
import type { PaymentsPage } from '../../../payments/history/customer.ts'
import type { Payment } from '../../../payments/payment.ts'
import { dayText, expiryText, timeText } from '../../kit/format/dates.ts'
import { MoneyText, moneyInText } from '../../kit/format/money.tsx'
import { ENTRY_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Button, Field, Hidden, LinkButton } from '../../kit/html/controls.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { MethodIcon } from '../../kit/html/methods.tsx'
import { StatePill } from '../../kit/html/state.tsx'
import { DETAILS, type DetailProblems } from '../details.ts'
import { nameOf, type PanelVisitor } from '../session.ts'

export interface HomeProps {
  readonly visitor: PanelVisitor
  readonly methods: readonly Method[]
  readonly registrations: readonly PanelRegistration[]
  /** Undefined if the link does not include payments. */
  readonly payments: PaymentsPage | undefined
  readonly isNewest: boolean
  readonly canAdd: boolean
  readonly hasDetails: boolean
  /** Submitted values and their errors, if the details were invalid. */
  readonly problems: DetailProblems | undefined
  /** Message about the last action. */
  readonly flash: string | undefined
}

/** A method registration for automatic payments, with its last charge. */
export interface PanelRegistration {
  readonly tokenId: number
  readonly method: Method
  readonly last: Payment | undefined
}

export function HomePage(props: HomeProps) {
  const { visitor, flash } = props
  const { panel } = visitor.language.texts
  const name = shortText(nameOf(visitor), NAME_SHOWN)
  return (
    <div class="panel">
      <div class="panel-head">
        <h1>{name ? panel.hello({ name }) : panel.title}</h1>
        <form method="post" action="/p/leave" class="signed-in">
          <span class="muted small">{panel.until({ time: timeText(visitor.session.expiresTime) })}</span>
          <Hidden values={{ form: visitor.formId }} />
          <button type="submit" class="plain">
            {panel.signOut}
          </button>
        </form>
      </div>
      {flash && <Notice kind="ok" title={flash} />}
      <MethodsCard {...props} />
      <AutoCard {...props} />
      {props.payments && <PaymentsCard {...props} page={props.payments} />}
      {props.hasDetails && <DetailsCard {...props} />}
    </div>
  )
}

function MethodsCard({ visitor, methods, canAdd }: HomeProps) {
  const { panel } = visitor.language.texts
  const add = canAdd && (
    <LinkButton href="/p/methods/new" kind="quiet">
      {panel.add}
    </LinkButton>
  )
  return (
    <Card title={panel.methods} id="methods" action={add}>
      {methods.length === 0 ? (
        <p class="muted">{panel.noMethods}</p>
      ) : (
        <ul class="rows">
          {methods.map((method) => (
            <MethodItem visitor={visitor} method={method} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function MethodItem({ visitor, method }: { readonly visitor: PanelVisitor; readonly method: Method }) {
  const { texts } = visitor.language
  const { label, verificationState, paymentMethodId: id, isDefault } = method
  const isGood = verificationState === 'Verified'
  return (
    <li>
      <MethodSummary method={method}>
        {isDefault && <span class="badge">{texts.methods.defaultMethod}</span>}
        {verificationState === 'Unverified' && <span class="badge">{texts.panel.unconfirmed}</span>}
        {verificationState === 'VerificationFailed' && <span class="badge">{texts.panel.confirmFailed}</span>}
        {isExpired(method, visitor.now) && <span class="badge">{texts.methods.expired}</span>}
        <Expiry visitor={visitor} method={method} />
      </MethodSummary>
      <span class="row-actions">
        {verificationState === 'Unverified' && (
          <a href={`/p/methods/${id}/verify`}>{texts.panel.enterAmounts}</a>
        )}
        {isGood && !isDefault && (
          <form method="post" action={`/p/methods/${id}/default`}>
            <Hidden values={{ form: visitor.formId }} />
            <button type="submit" class="plain" aria-label={texts.panel.makeDefaultOf({ method: label })}>
              {texts.panel.makeDefault}
            </button>
          </form>
        )}
        <a href={`/p/methods/${id}/remove`} aria-label={texts.methods.removeButton({ method: label })}>
          {texts.methods.remove}
        </a>
      </span>
    </li>
  )
}

/** A method with its icon, label and details. */
export function MethodSummary(props: { readonly method: Method; readonly children?: ComponentChildren }) {
  return (
    <span class="row-text">
      <MethodIcon kind={props.method.kind} />
      <span>
        <bdi class="method-title">{props.method.label}</bdi>
        {props.children}
      </span>
    </span>
  )
}

function Expiry({ visitor, method }: { readonly visitor: PanelVisitor; readonly method: Method }) {
  const { expiryMonth, expiryYear } = method.card ?? {}
  if (!expiryMonth || !expiryYear) return null
  const text = visitor.language.texts.methods.expires({ expiry: expiryText(expiryMonth, expiryYear) })
  return <span class="row-detail">{text}</span>
}

function isExpired({ card }: Method, now: Date): boolean {
  if (!card?.expiryMonth || !card.expiryYear) return false
  return Date.UTC(card.expiryYear, card.expiryMonth, 1) <= now.getTime()
}

function AutoCard({ visitor, registrations }: HomeProps) {
  const { panel } = visitor.language.texts
  return (
    <Card title={panel.auto} id="auto">
      {registrations.length === 0 ? (
        <p class="muted">{panel.noAuto({ merchant: visitor.brand.name })}</p>
      ) : (
        <ul class="rows">
          {registrations.map((registration) => (
            <li>
              <RegistrationText visitor={visitor} registration={registration} />
              <span class="row-actions">
                <a
                  href={`/p/auto/${registration.tokenId}/stop`}
                  aria-label={panel.stopOf({ method: registration.method.label })}
                >
                  {panel.stop}
                </a>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

interface RegistrationProps {
  readonly visitor: PanelVisitor
  readonly registration: PanelRegistration
}

/** Purpose (taken from the last charge), method and last charge of a registration. */
export function RegistrationText({ visitor, registration }: RegistrationProps) {
  const { method, last } = registration
  const { language } = visitor
  const { panel } = language.texts
  const lastCharge = last && moneyInText(language, last.capturedMinor, last.currency)
  return (
    <span class="row-text">
      <MethodIcon kind={method.kind} />
      <span>
        <bdi class="method-title">
          {shortText(last?.details.description, ENTRY_SHOWN) ?? visitor.brand.name}
        </bdi>
        <span class="row-detail">
          <bdi>{method.label}</bdi>
          {' · '}
          {last && lastCharge
            ? panel.lastCharge({ amount: lastCharge, date: dayText(language, last.createdTime) })
            : panel.neverCharged}
        </span>
      </span>
    </span>
  )
}

function PaymentsCard({ visitor, page, isNewest }: HomeProps & { readonly page: PaymentsPage }) {
  const { panel } = visitor.language.texts
  const oldest = page.payments.at(-1)
  return (
    <Card title={panel.payments} id="payments">
      {page.payments.length === 0 ? (
        <p class="muted">{panel.noPayments}</p>
      ) : (
        <ul class="rows payments">
          {page.payments.map((payment) => (
            <PaymentItem visitor={visitor} payment={payment} />
          ))}
        </ul>
      )}
      {(page.hasOlder || !isNewest) && (
        <nav class="pager" aria-label={panel.payments}>
          {!isNewest && <a href="/p#payments">{panel.newest}</a>}
          {page.hasOlder && oldest && <a href={`/p?before=${oldest.paymentId}#payments`}>{panel.older}</a>}
        </nav>
      )}
    </Card>
  )
}

function PaymentItem({ visitor, payment }: { readonly visitor: PanelVisitor; readonly payment: Payment }) {
  const { language } = visitor
  const { orderId } = payment.details
  const description = shortText(payment.details.description, ENTRY_SHOWN)
  const number = language.texts.panel.paymentTitle({ number: String(payment.paymentId) })
  return (
    <li>
      <span class="row-text">
        <span>
          <a href={`/p/payments/${payment.paymentId}`}>
            <bdi>{description ?? (orderId ? language.texts.order.number({ orderId }) : number)}</bdi>
          </a>
          <span class="row-detail">{dayText(language, payment.createdTime)}</span>
        </span>
      </span>
      <span class="row-end">
        <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
        <StatePill texts={language.texts} payment={payment} />
      </span>
    </li>
  )
}

function DetailsCard({ visitor, problems }: HomeProps) {
  const { panel } = visitor.language.texts
  return (
    <Card title={panel.details} id="details">
      <form method="post" action="/p/details" class="pay-form">
        <Hidden values={{ form: visitor.formId }} />
        <div class="pair wide">
          {DETAILS.map(({ name, word, type, autoComplete, maxLength }) => {
            const value = problems?.typed.get(name) ?? visitor.customer[name] ?? ''
            const wrong = problems?.wrong.get(name)
            return (
              <Field
                id={`details-${name}`}
                name={name}
                label={panel[word]}
                type={type}
                autoComplete={autoComplete}
                maxLength={maxLength}
                value={value}
                ltr={type !== 'text'}
                {...(wrong ? { error: panel[wrong] } : {})}
              />
            )
          })}
        </div>
        <Button kind="quiet">{panel.save}</Button>
      </form>
    </Card>
  )
}
