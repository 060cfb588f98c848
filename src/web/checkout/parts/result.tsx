import type { ComponentChildren } from 'preact'
import type { Payment } from '../../../payments/payment.ts'
import { linkExpired } from '../../../payments/timers/due.ts'
import { momentText } from '../../kit/format/dates.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { LinkButton } from '../../kit/html/controls.tsx'
import type { IconName } from '../../kit/html/icons.tsx'
import { Card, KeyValue, Statement } from '../../kit/html/layout.tsx'
import { stateText } from '../../kit/html/state.tsx'
import { amountOf, type CheckoutRequest } from '../request.ts'
import { declineText } from '../rules/declines.ts'
import { tooManyAttempts } from '../rules/step.ts'

interface ResultContent {
  readonly icon: IconName
  readonly tone: 'ok' | 'bad' | 'warn' | 'quiet' | 'violet'
  readonly title: string
  readonly body: readonly string[]
  /** Show amount, method and reference: money moved, or is about to. */
  readonly facts?: true
  readonly receipt?: true
  /** Return to the merchant automatically after a few seconds. */
  readonly autoReturns?: true
}

/** Content for each state in which a payment can stay. */
function contentOf(checkout: CheckoutRequest): ResultContent {
  const { payment, brand, language } = checkout
  const { result } = language.texts
  const shop = brand.name
  switch (payment.state) {
    case 'Captured':
    case 'Approved':
      return {
        icon: 'check',
        tone: 'ok',
        title: result.received,
        body: [result.receivedBody({ merchant: shop })],
        facts: true,
        receipt: true,
        autoReturns: true,
      }
    case 'Authorized':
      return {
        icon: 'check',
        tone: 'ok',
        title: result.authorised,
        body: [result.authorisedBody({ merchant: shop })],
        facts: true,
        autoReturns: true,
      }
    case 'ProviderAuthorizedHold':
    case 'CapturedHold':
      return {
        icon: 'clock',
        tone: 'warn',
        title: result.review,
        body: [result.reviewBody({ merchant: shop })],
        facts: true,
      }
    case 'Cancelling':
      return { icon: 'minus', tone: 'quiet', title: result.cancelling, body: [] }
    case 'Refunding':
    case 'Refunded':
      return refundContent(checkout)
    case 'Disputed':
      return {
        icon: 'info',
        tone: 'quiet',
        title: result.disputed({ merchant: shop }),
        body: [result.disputedBody({ merchant: shop })],
      }
    default:
      return endedContent(checkout)
  }
}

/** Where the payer claims money that is given back. */
export const claimUrlOf = ({ payInfo }: Payment): string | undefined => payInfo?.claimUrl

function refundContent(checkout: CheckoutRequest): ResultContent {
  const { payment, language } = checkout
  const { result } = language.texts
  const isDone = payment.state === 'Refunded'
  const amount = amountOf(checkout, isDone ? payment.refundedMinor : payment.capturedMinor)
  const onItsWay = claimUrlOf(payment) ? result.claimBody : result.refundingBody({ amount })
  return {
    icon: 'back',
    tone: 'violet',
    title: isDone ? result.refunded : result.refunding,
    body: [isDone ? result.refundedBody({ amount }) : onItsWay],
    facts: true,
    receipt: true,
  }
}

/** Ended without a payment. */
function endedContent(checkout: CheckoutRequest): ResultContent {
  const { payment, brand, language, now } = checkout
  const { texts } = language
  const { result } = texts
  const shop = brand.name
  const code = payment.failure?.code
  if (code === 'cancelled')
    return {
      icon: 'minus',
      tone: 'quiet',
      title: result.cancelled,
      body: [result.cancelledBody],
      autoReturns: true,
    }
  const { received } = payment.payInfo ?? {}
  if (code === undefined && received) {
    const { notices } = texts
    const until = received.until && momentText(language, new Date(received.until))
    const values = { received: amountOf(checkout, BigInt(received.minor)), amount: amountOf(checkout) }
    const body = until ? notices.partArrivedBodyUntil({ until }) : notices.partArrivedBody
    return { icon: 'clock', tone: 'warn', title: notices.partArrived(values), body: [body] }
  }
  if (code === 'expired' || (code === undefined && linkExpired(payment, now))) {
    const since =
      payment.expirationTime && result.expiredSince({ date: momentText(language, payment.expirationTime) })
    const body = [...(since ? [since] : []), result.expiredBody({ merchant: shop })]
    return { icon: 'clock', tone: 'quiet', title: result.expired, body }
  }
  if (code === undefined && tooManyAttempts(payment))
    return {
      icon: 'cross',
      tone: 'bad',
      title: result.tooMany,
      body: [result.tooManyBody({ merchant: shop })],
    }
  const declined = payment.failure?.declineCode
  const why = declined ? [declineText(texts, declined, shop)] : fraudText(payment)
  const back = claimUrlOf(payment) ? [result.claimBody] : []
  return {
    icon: 'cross',
    tone: 'bad',
    title: result.failed,
    body: [...why, ...back, result.failedBody({ merchant: shop })],
  }
}

/** The message of the merchant's fraud rule, if it has one. The default text is not shown to payers. */
const fraudText = ({ failure }: CheckoutRequest['payment']): string[] =>
  failure?.code === 'fraud_rejected' && failure.problem.code === 'text' ? [failure.problem.text] : []

export function ResultPage({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { brand, language, base, payment } = checkout
  const { texts } = language
  const content = contentOf(checkout)
  const claimUrl = claimUrlOf(payment)
  return (
    <div class="narrow">
      <Card>
        <Statement icon={content.icon} tone={content.tone} title={content.title}>
          {content.facts && (
            <p class="amount">
              <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
            </p>
          )}
          {content.body.map((text) => (
            <p>{text}</p>
          ))}
        </Statement>
        {content.facts && <Facts checkout={checkout} />}
        <div class="actions">
          {claimUrl && <LinkButton href={claimUrl}>{texts.result.claim}</LinkButton>}
          {payment.returnUrl !== null && (
            <LinkButton href={`${base}/return`} id="return" kind={claimUrl ? 'quiet' : 'primary'}>
              {texts.common.returnTo({ merchant: brand.name })}
            </LinkButton>
          )}
          {payment.returnUrl !== null && content.autoReturns && <AutoReturn checkout={checkout} />}
          {content.receipt && (
            <LinkButton href={`${base}/receipt`} kind="quiet">
              {texts.buttons.receipt}
            </LinkButton>
          )}
        </div>
      </Card>
      {brand.isSandbox && <DeveloperCard checkout={checkout} />}
    </div>
  )
}

/** Filled by the script. Without script the page does not redirect. */
function AutoReturn({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { result } = checkout.language.texts
  const shop = checkout.brand.name
  const countdown = [5, 4, 3, 2, 1].map((seconds) => result.countdown({ merchant: shop, seconds }))
  return (
    <p class="small muted leaving" hidden data-leaving={JSON.stringify(countdown)}>
      <span /> <button type="button">{result.stay}</button>
    </p>
  )
}

export function methodText({ payment, language }: CheckoutRequest): string | undefined {
  const { methods } = language.texts
  const card = payment.payInfo?.card
  const wallet = card?.wallet ? `${methods[card.wallet]}, ` : ''
  if (card?.last4) return `${wallet}${card.brand ?? methods.CreditCard} •••• ${card.last4}`
  return payment.method ? methods[payment.method] : undefined
}

function Facts({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { payment, language } = checkout
  const { common } = language.texts
  const method = methodText(checkout)
  return (
    <KeyValue
      rows={[
        method ? [common.method, <bdi>{method}</bdi>] : undefined,
        payment.details.orderId ? [common.order, <bdi>{payment.details.orderId}</bdi>] : undefined,
        [common.reference, <bdi>{payment.referenceId}</bdi>],
        [common.date, momentText(language, payment.stateTime)],
      ]}
    />
  )
}

/** For developers, in a sandbox: the state as the API shows it. */
function DeveloperCard({ checkout }: { readonly checkout: CheckoutRequest }): ComponentChildren {
  const { payment, language } = checkout
  const { texts } = language
  return (
    <Card title={texts.result.shopSees} class="sandbox-only">
      <KeyValue
        rows={[
          ['paymentId', <span class="number">{payment.paymentId}</span>],
          ['paymentState', <code>{payment.state}</code>],
          payment.failure ? ['failure.code', <code>{payment.failure.code}</code>] : undefined,
          [texts.common.state, stateText(texts, payment)],
        ]}
      />
    </Card>
  )
}
