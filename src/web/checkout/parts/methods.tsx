import type { ComponentChildren } from 'preact'
import { DAY } from '../../../base/clock.ts'
import { cut, folded } from '../../../base/text.ts'
import { isSlow, namedMethod } from '../../../providers/methods/catalogue.ts'
import { expiryText } from '../../kit/format/dates.ts'
import { Button, Checkbox, Confirm, Field, Hidden } from '../../kit/html/controls.tsx'
import { BankFields, CardFields, cardTexts, TestValues } from '../../kit/html/fields.tsx'
import { MethodRow } from '../../kit/html/methods.tsx'
import type { PageTexts } from '../../kit/i18n/languages.ts'
import type { MethodOption, SavedMethod } from '../method-options.ts'
import { sandboxPageName } from '../provider-page.ts'
import { amountOf, type CheckoutRequest } from '../request.ts'
import { consentMode } from '../rules/consent.ts'

export interface FormProps {
  readonly checkout: CheckoutRequest
  readonly options: readonly MethodOption[]
  readonly saved: readonly SavedMethod[]
  readonly attemptId: string
  /** The row that is selected initially: the id of an option, or `saved-{paymentMethodId}`. */
  readonly chosen: string
  /** Errors that the provider reported for the fields of the chosen row. */
  readonly problems: readonly string[]
  /** The origin of the page: the provider's fields lead back to it. */
  readonly origin: string
}

const RADIO_NAME = 'method'
/** So many ways are shown at once, the others after a click. */
const SHOWN = 6

export function Methods(props: FormProps) {
  const { checkout, options, saved } = props
  const { texts } = checkout.language
  const alone = options.length === 1 && saved.length === 0
  const [first, rest] = [options.slice(0, SHOWN), options.slice(SHOWN)]
  return (
    <>
      {saved.length > 0 && (
        <fieldset>
          <legend>{texts.methods.saved}</legend>
          {saved.map((method) => (
            <SavedRow {...props} method={method} />
          ))}
        </fieldset>
      )}
      <fieldset>
        <legend>{texts.methods.choose}</legend>
        {first.map((option) => (
          <OptionRow {...props} option={option} alone={alone} />
        ))}
        {rest.length > 0 && (
          <details class="more-ways" open={rest.some(({ id }) => id === props.chosen)}>
            <summary>{texts.methods.more}</summary>
            {rest.map((option) => (
              <OptionRow {...props} option={option} alone={false} />
            ))}
          </details>
        )}
      </fieldset>
    </>
  )
}

export const savedId = ({ paymentMethodId }: Pick<SavedMethod, 'paymentMethodId'>): string =>
  `saved-${paymentMethodId}`

function SavedRow(props: FormProps & { readonly method: SavedMethod }) {
  const { checkout, method, attemptId, chosen } = props
  const { texts } = checkout.language
  const { card, label, isExpired } = method
  const detail =
    card?.expiryMonth && card.expiryYear
      ? texts.methods.expires({ expiry: expiryText(card.expiryMonth, card.expiryYear) })
      : undefined
  const badge = isExpired ? texts.methods.expired : method.isDefault ? texts.methods.defaultMethod : undefined
  const ending = /•••• \S+$/.exec(label)?.[0] ?? label
  return (
    <MethodRow
      id={savedId(method)}
      name={RADIO_NAME}
      kind={method.kind}
      title={label}
      checked={chosen === savedId(method)}
      disabled={isExpired}
      {...(detail ? { detail } : {})}
      {...(badge ? { badge } : {})}
    >
      <SavedForm {...props}>
        <PayButton checkout={checkout}>
          {checkout.payment.autoCapture
            ? texts.buttons.payWith({ amount: amountOf(checkout), method: ending })
            : undefined}
        </PayButton>
      </SavedForm>
      <Confirm
        summary={texts.methods.remove}
        question={texts.methods.removeConfirm({ method: label })}
        button={texts.methods.removeButton({ method: label })}
        action={`${checkout.base}/methods/${method.paymentMethodId}/remove`}
        hidden={{ attempt: attemptId }}
      />
    </MethodRow>
  )
}

/** If the provider requires the security code, its form exchanges the code for a one-time token. */
function SavedForm(
  props: FormProps & { readonly method: SavedMethod; readonly children: ComponentChildren },
) {
  const { checkout, method, attemptId, children } = props
  const { codeForm, paymentMethodId } = method
  const saved = String(paymentMethodId)
  if (!codeForm)
    return (
      <form class="pay-form" method="post" action={`${checkout.base}/pay`} data-pay>
        <Hidden values={{ attempt: attemptId, saved }} />
        {children}
      </form>
    )
  const { card } = checkout.language.texts
  const back = `${props.origin}${checkout.base}/pay`
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

/** The label tells the effect: pay, authorise, or continue elsewhere. */
function PayButton({
  checkout,
  children,
}: {
  readonly checkout: CheckoutRequest
  readonly children?: ComponentChildren
}) {
  const { buttons } = checkout.language.texts
  const { autoCapture } = checkout.payment
  return (
    <>
      <Button busyText={buttons.working}>
        {children ??
          (autoCapture
            ? buttons.pay({ amount: amountOf(checkout) })
            : buttons.authorise({ amount: amountOf(checkout) }))}
      </Button>
      {!autoCapture && <p class="small muted">{buttons.chargedLater({ merchant: checkout.brand.name })}</p>}
    </>
  )
}

/** The provider's name, or in the sandbox the name of the row. */
export const pageNameOf = ({ providerName, name, offer }: MethodOption, texts: PageTexts): string =>
  providerName ?? name ?? sandboxPageName(texts, offer.method)

/** The sandbox has a page with an address to pay to. */
const isSandboxCrypto = ({ providerName, offer }: MethodOption): boolean =>
  providerName === undefined && offer.method === 'Crypto'

function OptionRow(props: FormProps & { readonly option: MethodOption; readonly alone: boolean }) {
  const { checkout, option, alone, chosen } = props
  const { texts } = checkout.language
  const { method } = option.offer
  const pageDetail = isSandboxCrypto(option)
    ? texts.methods.cryptoHint
    : texts.methods.onProviderPage({ provider: pageNameOf(option, texts) })
  const days = Math.ceil((isSlow(method) ? (namedMethod(method)?.resultMs ?? 0) : 0) / DAY)
  return (
    <MethodRow
      id={`way-${option.id}`}
      name={RADIO_NAME}
      kind={method}
      title={option.name ?? texts.methods[method]}
      checked={chosen === option.id}
      alone={alone}
      {...(option.fields
        ? {}
        : { detail: days > 0 ? `${pageDetail} ${texts.methods.slowHint({ days })}` : pageDetail })}
    >
      {option.fields ? <FieldsOption {...props} /> : <RedirectOption {...props} />}
    </MethodRow>
  )
}

/** The browser posts to the provider, which redirects to `…/pay` with a one-time token. */
function FieldsOption(props: FormProps & { readonly option: MethodOption }) {
  const { checkout, option, attemptId, origin } = props
  const { texts } = checkout.language
  const { fields: form, offer } = option
  if (!form) return null
  const isCard = offer.method === 'CreditCard'
  const given = {
    texts,
    form,
    problems: props.chosen === option.id ? props.problems : [],
    payerName: payerName(checkout),
    prefix: `f${offer.profile.profileId}`,
  }
  const back = `${origin}${checkout.base}/pay`
  const cardData = isCard ? { 'data-card': cardTexts(texts), 'data-brands': form.brands?.join() } : {}
  return (
    <form class="pay-form" method="post" action={form.action} data-pay {...cardData}>
      <Hidden values={{ ...form.hidden, back, _attempt: attemptId, _way: option.id }} />
      {isCard ? <CardFields {...given} /> : <BankFields {...given} />}
      <TestValues title={isCard ? texts.card.testCards : texts.common.testValues} texts={texts} form={form} />
      <ConsentPart checkout={checkout} option={option} name="_save" />
      {!isCard && <p class="small muted">{texts.bank.mandate({ merchant: checkout.brand.name })}</p>}
      <PayButton checkout={checkout} />
    </form>
  )
}

function RedirectOption({ checkout, option, attemptId }: FormProps & { readonly option: MethodOption }) {
  const { texts } = checkout.language
  const label = isSandboxCrypto(option)
    ? texts.buttons.showAddress({ amount: amountOf(checkout) })
    : texts.buttons.continueTo({ provider: pageNameOf(option, texts) })
  return (
    <form class="pay-form" method="post" action={`${checkout.base}/pay`} data-pay>
      <Hidden values={{ attempt: attemptId, way: option.id }} />
      <ConsentPart checkout={checkout} option={option} name="save" />
      <PayButton checkout={checkout}>{label}</PayButton>
    </form>
  )
}

interface ConsentProps {
  readonly checkout: CheckoutRequest
  readonly option: MethodOption
  readonly name: string
}

function ConsentPart({ checkout, option, name }: ConsentProps) {
  const { consent } = checkout.language.texts
  const mode = consentMode(checkout, option.offer)
  if (mode === 'mandate') return <p class="small">{consent.mandate({ merchant: checkout.brand.name })}</p>
  if (mode !== 'choice') return null
  return (
    <Checkbox id={`save-${option.id}`} name={name}>
      {consent.save({ merchant: checkout.brand.name })}
    </Checkbox>
  )
}

/** Longer than any name on a card. */
const HOLDER_SHOWN = 100

/** The payer's name from the order, to prefill the form. */
function payerName({ payment }: CheckoutRequest): string | undefined {
  const order = payment.details.customerOrder as { customer?: { firstName?: string; lastName?: string } }
  const { firstName, lastName } = order.customer ?? {}
  return cut(folded([firstName, lastName].filter(Boolean).join(' ')), HOLDER_SHOWN) || undefined
}
