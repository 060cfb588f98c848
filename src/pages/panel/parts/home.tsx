import type { ComponentChildren } from 'preact'
import type { CustomerMethod as Method } from '../../../customers/methods.ts'
import type { PaymentsPage } from '../../../payments/history/customer.ts'
import type { Payment } from '../../../payments/payment.ts'
import { Button, Field, Hidden, LinkButton } from '../../ui/controls.tsx'
import { dayText, expiryText, timeText } from '../../ui/dates.ts'
import { Card, Notice } from '../../ui/layout.tsx'
import { MethodIcon } from '../../ui/methods.tsx'
import { MoneyText, moneyInText } from '../../ui/money.tsx'
import { ENTRY_SHOWN, NAME_SHOWN, shortText } from '../../ui/short-text.ts'
import { StatePill } from '../../ui/state.tsx'
import { DETAILS, type DetailProblems } from '../details.ts'
import { type Guest, nameOf } from '../session.ts'

export interface HomeProps {
  readonly guest: Guest
  readonly methods: readonly Method[]
  readonly registrations: readonly Registered[]
  /** Undefined where the link does not show them. */
  readonly payments: PaymentsPage | undefined
  readonly isNewest: boolean
  readonly canAdd: boolean
  readonly hasDetails: boolean
  /** What was typed and what is wrong with it, when the details came back. */
  readonly problems: DetailProblems | undefined
  /** What was just done. */
  readonly note: string | undefined
}

/** A method that the merchant may charge by itself, and when it last did. */
export interface Registered {
  readonly tokenId: number
  readonly method: Method
  readonly last: Payment | undefined
}

export function HomePage(props: HomeProps) {
  const { guest, note } = props
  const { panel } = guest.language.words
  const name = shortText(nameOf(guest), NAME_SHOWN)
  return (
    <div class="panel">
      <div class="panel-head">
        <h1>{name ? panel.hello(name) : panel.title}</h1>
        <form method="post" action="/p/leave" class="signed-in">
          <span class="muted small">{panel.until(timeText(guest.session.expiresTime))}</span>
          <Hidden values={{ form: guest.formId }} />
          <button type="submit" class="plain">
            {panel.signOut}
          </button>
        </form>
      </div>
      {note && <Notice kind="ok" title={note} />}
      <MethodsCard {...props} />
      <AutoCard {...props} />
      {props.payments && <PaymentsCard {...props} page={props.payments} />}
      {props.hasDetails && <DetailsCard {...props} />}
    </div>
  )
}

function MethodsCard({ guest, methods, canAdd }: HomeProps) {
  const { panel } = guest.language.words
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
            <MethodItem guest={guest} method={method} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function MethodItem({ guest, method }: { readonly guest: Guest; readonly method: Method }) {
  const { words } = guest.language
  const { label, verificationState, paymentMethodId: id, isDefault } = method
  const isGood = verificationState === 'Verified'
  return (
    <li>
      <Described method={method}>
        {isDefault && <span class="badge">{words.methods.defaultMethod}</span>}
        {verificationState === 'Unverified' && <span class="badge">{words.panel.unconfirmed}</span>}
        {verificationState === 'VerificationFailed' && <span class="badge">{words.panel.confirmFailed}</span>}
        {isExpired(method, guest.now) && <span class="badge">{words.methods.expired}</span>}
        <Expiry guest={guest} method={method} />
      </Described>
      <span class="row-actions">
        {verificationState === 'Unverified' && (
          <a href={`/p/methods/${id}/verify`}>{words.panel.enterAmounts}</a>
        )}
        {isGood && !isDefault && (
          <form method="post" action={`/p/methods/${id}/default`}>
            <Hidden values={{ form: guest.formId }} />
            <button type="submit" class="plain" aria-label={words.panel.makeDefaultOf(label)}>
              {words.panel.makeDefault}
            </button>
          </form>
        )}
        <a href={`/p/methods/${id}/remove`} aria-label={words.methods.removeButton(label)}>
          {words.methods.remove}
        </a>
      </span>
    </li>
  )
}

/** A method by its icon, its name and what is to be said beside it. */
export function Described(props: { readonly method: Method; readonly children?: ComponentChildren }) {
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

function Expiry({ guest, method }: { readonly guest: Guest; readonly method: Method }) {
  const { expiryMonth, expiryYear } = method.card ?? {}
  if (!expiryMonth || !expiryYear) return null
  const text = guest.language.words.methods.expires(expiryText(expiryMonth, expiryYear))
  return <span class="row-detail">{text}</span>
}

function isExpired({ card }: Method, now: Date): boolean {
  if (!card?.expiryMonth || !card.expiryYear) return false
  return Date.UTC(card.expiryYear, card.expiryMonth, 1) <= now.getTime()
}

function AutoCard({ guest, registrations }: HomeProps) {
  const { panel } = guest.language.words
  return (
    <Card title={panel.auto} id="auto">
      {registrations.length === 0 ? (
        <p class="muted">{panel.noAuto(guest.brand.name)}</p>
      ) : (
        <ul class="rows">
          {registrations.map((registered) => (
            <li>
              <RegisteredText guest={guest} registered={registered} />
              <span class="row-actions">
                <a
                  href={`/p/auto/${registered.tokenId}/stop`}
                  aria-label={panel.stopOf(registered.method.label)}
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

interface RegisteredProps {
  readonly guest: Guest
  readonly registered: Registered
}

/** What it is charged for, as far as the last charge tells. */
export function RegisteredText({ guest, registered }: RegisteredProps) {
  const { method, last } = registered
  const { language } = guest
  const { panel } = language.words
  const lastCharge = last && moneyInText(language, last.capturedMinor, last.currency)
  return (
    <span class="row-text">
      <MethodIcon kind={method.kind} />
      <span>
        <bdi class="method-title">
          {shortText(last?.details.description, ENTRY_SHOWN) ?? guest.brand.name}
        </bdi>
        <span class="row-detail">
          <bdi>{method.label}</bdi>
          {' · '}
          {last && lastCharge
            ? panel.lastCharge(lastCharge, dayText(language, last.createdTime))
            : panel.neverCharged}
        </span>
      </span>
    </span>
  )
}

function PaymentsCard({ guest, page, isNewest }: HomeProps & { readonly page: PaymentsPage }) {
  const { panel } = guest.language.words
  const oldest = page.payments.at(-1)
  return (
    <Card title={panel.payments} id="payments">
      {page.payments.length === 0 ? (
        <p class="muted">{panel.noPayments}</p>
      ) : (
        <ul class="rows payments">
          {page.payments.map((payment) => (
            <PaymentItem guest={guest} payment={payment} />
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

function PaymentItem({ guest, payment }: { readonly guest: Guest; readonly payment: Payment }) {
  const { language } = guest
  const { orderId } = payment.details
  const description = shortText(payment.details.description, ENTRY_SHOWN)
  const number = language.words.panel.paymentTitle(String(payment.paymentId))
  return (
    <li>
      <span class="row-text">
        <span>
          <a href={`/p/payments/${payment.paymentId}`}>
            <bdi>{description ?? (orderId ? language.words.order.number(orderId) : number)}</bdi>
          </a>
          <span class="row-detail">{dayText(language, payment.createdTime)}</span>
        </span>
      </span>
      <span class="row-end">
        <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
        <StatePill words={language.words} payment={payment} />
      </span>
    </li>
  )
}

function DetailsCard({ guest, problems }: HomeProps) {
  const { panel } = guest.language.words
  return (
    <Card title={panel.details} id="details">
      <form method="post" action="/p/details" class="pay-form">
        <Hidden values={{ form: guest.formId }} />
        <div class="pair wide">
          {DETAILS.map(({ name, word, type, autoComplete, maxLength }) => {
            const value = problems?.typed.get(name) ?? guest.customer[name] ?? ''
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
