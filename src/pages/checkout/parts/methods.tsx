import type { ComponentChildren } from 'preact'
import { cut, folded } from '../../../base/text.ts'
import { Button, Checkbox, Confirm, Field, Hidden } from '../../ui/controls.tsx'
import { expiryText } from '../../ui/dates.ts'
import { MethodRow } from '../../ui/methods.tsx'
import { consentAsked } from '../rules/consent.ts'
import { amountOf, type Visit } from '../visit.ts'
import type { Saved, Way } from '../ways.ts'
import { BankFields, CardFields, cardTexts, TestValues } from './fields.tsx'

export interface FormProps {
  readonly visit: Visit
  readonly ways: readonly Way[]
  readonly saved: readonly Saved[]
  readonly attemptId: string
  /** The row that is chosen at first: a way's id, or `saved-{paymentMethodId}`. */
  readonly chosen: string
  /** What the provider found wrong with its fields, and of which way. */
  readonly problems: readonly string[]
  readonly publicUrl: string
}

const NAME = 'method'

export function Methods(props: FormProps) {
  const { visit, ways, saved } = props
  const { words } = visit.language
  const alone = ways.length === 1 && saved.length === 0
  return (
    <>
      {saved.length > 0 && (
        <fieldset>
          <legend>{words.methods.saved}</legend>
          {saved.map((method) => (
            <SavedRow {...props} method={method} />
          ))}
        </fieldset>
      )}
      <fieldset>
        <legend>{words.methods.choose}</legend>
        {ways.map((way) => (
          <WayRow {...props} way={way} alone={alone} />
        ))}
      </fieldset>
    </>
  )
}

export const savedId = ({ paymentMethodId }: Pick<Saved, 'paymentMethodId'>): string =>
  `saved-${paymentMethodId}`

function SavedRow(props: FormProps & { readonly method: Saved }) {
  const { visit, method, attemptId, chosen } = props
  const { words } = visit.language
  const { card, label, isExpired } = method
  const detail =
    card?.expiryMonth && card.expiryYear
      ? words.methods.expires(expiryText(card.expiryMonth, card.expiryYear))
      : undefined
  const badge = isExpired ? words.methods.expired : method.isDefault ? words.methods.defaultMethod : undefined
  const ending = /•••• \S+$/.exec(label)?.[0] ?? label
  return (
    <MethodRow
      id={savedId(method)}
      name={NAME}
      kind={method.kind}
      title={label}
      checked={chosen === savedId(method)}
      disabled={isExpired}
      {...(detail ? { detail } : {})}
      {...(badge ? { badge } : {})}
    >
      <SavedForm {...props}>
        <PayButton visit={visit}>
          {visit.payment.autoCapture ? words.buttons.payWith(amountOf(visit), ending) : undefined}
        </PayButton>
      </SavedForm>
      <Confirm
        summary={words.methods.remove}
        question={words.methods.removeConfirm(label)}
        button={words.methods.removeButton(label)}
        action={`${visit.base}/methods/${method.paymentMethodId}/remove`}
        hidden={{ attempt: attemptId }}
      />
    </MethodRow>
  )
}

/** Where the provider wants the code again it is typed into its form, and comes back as a one-time token. */
function SavedForm(props: FormProps & { readonly method: Saved; readonly children: ComponentChildren }) {
  const { visit, method, attemptId, children } = props
  const { codeForm, paymentMethodId } = method
  const saved = String(paymentMethodId)
  if (!codeForm)
    return (
      <form class="pay-form" method="post" action={`${visit.base}/pay`} data-pay>
        <Hidden values={{ attempt: attemptId, saved }} />
        {children}
      </form>
    )
  const { card } = visit.language.words
  const back = `${props.publicUrl}${visit.base}/pay`
  const isWrong = props.chosen === savedId(method) && props.problems.some((one) => one.startsWith('code'))
  return (
    <form class="pay-form" method="post" action={codeForm.action} data-pay>
      <Hidden values={{ ...codeForm.hidden, back, _attempt: attemptId, _saved: saved }} />
      <Field
        id={`code-${saved}`}
        name="code"
        label={card.code}
        hint={card.codeHint}
        autoComplete="cc-csc"
        numeric
        ltr
        required
        maxLength={4}
        {...(isWrong ? { error: card.codeEmpty } : {})}
      />
      {children}
    </form>
  )
}

/** Its label says what will happen: paid now, reserved now, or somewhere else next. */
function PayButton({ visit, children }: { readonly visit: Visit; readonly children?: ComponentChildren }) {
  const { buttons } = visit.language.words
  const { autoCapture } = visit.payment
  return (
    <>
      <Button busyText={buttons.working}>
        {children ?? (autoCapture ? buttons.pay(amountOf(visit)) : buttons.authorise(amountOf(visit)))}
      </Button>
      {!autoCapture && <p class="small muted">{buttons.chargedLater(visit.brand.name)}</p>}
    </>
  )
}

function WayRow(props: FormProps & { readonly way: Way; readonly alone: boolean }) {
  const { visit, way, alone, chosen } = props
  const { words } = visit.language
  const { method } = way.offer
  const details = { Paypal: words.methods.onProviderPage, Crypto: words.methods.cryptoHint }
  const detail = method === 'Paypal' || method === 'Crypto' ? details[method] : undefined
  return (
    <MethodRow
      id={`way-${way.id}`}
      name={NAME}
      kind={method}
      title={way.name ?? words.methods[method]}
      checked={chosen === way.id}
      alone={alone}
      {...(detail ? { detail } : {})}
    >
      {way.fields ? <FieldsWay {...props} /> : <PageWay {...props} />}
    </MethodRow>
  )
}

/** The browser posts to the provider, which sends it back to `…/pay` with a one-time token. */
function FieldsWay(props: FormProps & { readonly way: Way }) {
  const { visit, way, attemptId, publicUrl } = props
  const { words } = visit.language
  const { fields: form, offer } = way
  if (!form) return null
  const isCard = offer.method === 'CreditCard'
  const given = {
    words,
    form,
    problems: props.chosen === way.id ? props.problems : [],
    payerName: payerName(visit),
    prefix: `f${offer.profile.profileId}`,
  }
  const back = `${publicUrl}${visit.base}/pay`
  const texts = isCard ? { 'data-card': cardTexts(words), 'data-brands': form.brands?.join() } : {}
  return (
    <form class="pay-form" method="post" action={form.action} data-pay {...texts}>
      <Hidden values={{ ...form.hidden, back, _attempt: attemptId, _way: way.id }} />
      {isCard ? <CardFields {...given} /> : <BankFields {...given} />}
      <TestValues title={isCard ? words.card.testCards : words.common.testValues} words={words} form={form} />
      <ConsentPart visit={visit} way={way} name="_save" />
      {!isCard && <p class="small muted">{words.bank.mandate(visit.brand.name)}</p>}
      <PayButton visit={visit} />
    </form>
  )
}

function PageWay({ visit, way, attemptId }: FormProps & { readonly way: Way }) {
  const { words } = visit.language
  const { method } = way.offer
  const label =
    method === 'Crypto'
      ? words.buttons.showAddress(amountOf(visit))
      : words.buttons.continueTo(way.name ?? words.methods[method])
  return (
    <form class="pay-form" method="post" action={`${visit.base}/pay`} data-pay>
      <Hidden values={{ attempt: attemptId, way: way.id }} />
      <ConsentPart visit={visit} way={way} name="save" />
      <PayButton visit={visit}>{label}</PayButton>
    </form>
  )
}

interface ConsentProps {
  readonly visit: Visit
  readonly way: Way
  readonly name: string
}

function ConsentPart({ visit, way, name }: ConsentProps) {
  const { consent } = visit.language.words
  const asked = consentAsked(visit, way.offer)
  if (asked === 'mandate') return <p class="small">{consent.mandate(visit.brand.name)}</p>
  if (asked !== 'choice') return null
  return (
    <Checkbox id={`save-${way.id}`} name={name}>
      {consent.save(visit.brand.name)}
    </Checkbox>
  )
}

/** Longer than any name on a card. */
const HOLDER_SHOWN = 100

/** What the shop already knows is not asked for again. */
function payerName({ payment }: Visit): string | undefined {
  const order = payment.details.customerOrder as { customer?: { firstName?: string; lastName?: string } }
  const { firstName, lastName } = order.customer ?? {}
  return cut(folded([firstName, lastName].filter(Boolean).join(' ')), HOLDER_SHOWN) || undefined
}
