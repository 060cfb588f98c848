import type { ComponentChildren } from 'preact'
import { linkExpired, STOPPED } from '../../../payments/changes.ts'
import { LinkButton } from '../../ui/controls.tsx'
import { momentText } from '../../ui/dates.ts'
import type { IconName } from '../../ui/icons.tsx'
import { Card, KeyValue, Statement } from '../../ui/layout.tsx'
import { MoneyText } from '../../ui/money.tsx'
import { stateText } from '../../ui/state.tsx'
import { declineText } from '../rules/declines.ts'
import { tooManyAttempts } from '../rules/step.ts'
import { amountOf, type Visit } from '../visit.ts'

interface Told {
  readonly icon: IconName
  readonly tone: 'ok' | 'bad' | 'warn' | 'quiet' | 'violet'
  readonly title: string
  readonly body: readonly string[]
  /** The money moved, or is about to: amount, method and reference are worth showing. */
  readonly facts?: true
  readonly receipt?: true
  /** Back to the shop by itself after a moment. */
  readonly leaves?: true
}

/** What to say about every state a payment can rest in. */
function told(visit: Visit): Told {
  const { payment, brand, language } = visit
  const { result } = language.texts
  const shop = brand.name
  switch (payment.state) {
    case 'Captured':
    case 'Approved':
      return {
        icon: 'check',
        tone: 'ok',
        title: result.received,
        body: [result.receivedBody(shop)],
        facts: true,
        receipt: true,
        leaves: true,
      }
    case 'Authorized':
      return {
        icon: 'check',
        tone: 'ok',
        title: result.authorised,
        body: [result.authorisedBody(shop)],
        facts: true,
        leaves: true,
      }
    case 'ProviderAuthorizedHold':
    case 'CapturedHold':
      return {
        icon: 'clock',
        tone: 'warn',
        title: result.review,
        body: [result.reviewBody(shop)],
        facts: true,
      }
    case 'Cancelling':
      return { icon: 'minus', tone: 'quiet', title: result.cancelling, body: [] }
    case 'Refunding':
    case 'Refunded':
      return refundTold(visit)
    case 'Disputed':
      return { icon: 'info', tone: 'quiet', title: result.disputed(shop), body: [result.disputedBody(shop)] }
    default:
      return endTold(visit)
  }
}

function refundTold(visit: Visit): Told {
  const { payment, language } = visit
  const { result } = language.texts
  const isDone = payment.state === 'Refunded'
  const amount = amountOf(visit, isDone ? payment.refundedMinor : payment.capturedMinor)
  return {
    icon: 'back',
    tone: 'violet',
    title: isDone ? result.refunded : result.refunding,
    body: [isDone ? result.refundedBody(amount) : result.refundingBody(amount)],
    facts: true,
    receipt: true,
  }
}

/** Ended without money. */
function endTold(visit: Visit): Told {
  const { payment, brand, language, now } = visit
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
      leaves: true,
    }
  if (code === 'expired' || (code === undefined && linkExpired(payment, now))) {
    const since = payment.expirationTime && result.expiredSince(momentText(language, payment.expirationTime))
    const body = [...(since ? [since] : []), result.expiredBody(shop)]
    return { icon: 'clock', tone: 'quiet', title: result.expired, body }
  }
  if (code === undefined && tooManyAttempts(payment))
    return { icon: 'cross', tone: 'bad', title: result.tooMany, body: [result.tooManyBody(shop)] }
  const declined = payment.failure?.declineCode
  const why = declined ? [declineText(texts, declined, shop)] : stoppedText(payment)
  return { icon: 'cross', tone: 'bad', title: result.failed, body: [...why, result.failedBody(shop)] }
}

/**
 * What the merchant's rule has to say to the payer; without a message of its own it says nothing of rules.
 */
const stoppedText = ({ failure }: Visit['payment']): string[] =>
  failure?.code === 'fraud_rejected' && failure.message !== STOPPED ? [failure.message] : []

export function ResultPage({ visit }: { readonly visit: Visit }) {
  const { brand, language, base, payment } = visit
  const { texts } = language
  const what = told(visit)
  return (
    <div class="narrow">
      <Card>
        <Statement icon={what.icon} tone={what.tone} title={what.title}>
          {what.facts && (
            <p class="amount">
              <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
            </p>
          )}
          {what.body.map((text) => (
            <p>{text}</p>
          ))}
        </Statement>
        {what.facts && <Facts visit={visit} />}
        <div class="actions">
          {payment.returnUrl !== null && (
            <LinkButton href={`${base}/return`} id="return">
              {texts.common.returnTo(brand.name)}
            </LinkButton>
          )}
          {payment.returnUrl !== null && what.leaves && <Leaving visit={visit} />}
          {what.receipt && (
            <LinkButton href={`${base}/receipt`} kind="quiet">
              {texts.buttons.receipt}
            </LinkButton>
          )}
        </div>
      </Card>
      {brand.isSandbox && <ShopSees visit={visit} />}
    </div>
  )
}

/** Filled by the script: without it nobody is moved. */
function Leaving({ visit }: { readonly visit: Visit }) {
  const { result } = visit.language.texts
  const shop = visit.brand.name
  const countdown = [5, 4, 3, 2, 1].map((seconds) => result.countdown(shop, seconds))
  return (
    <p class="small muted leaving" hidden data-leaving={JSON.stringify(countdown)}>
      <span /> <button type="button">{result.stay}</button>
    </p>
  )
}

export function methodText({ payment, language }: Visit): string | undefined {
  const card = payment.payInfo?.card
  if (card?.last4) return `${card.brand ?? language.texts.methods.CreditCard} •••• ${card.last4}`
  return payment.method ? language.texts.methods[payment.method] : undefined
}

function Facts({ visit }: { readonly visit: Visit }) {
  const { payment, language } = visit
  const { common } = language.texts
  const method = methodText(visit)
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

/** For whoever builds a shop: what the page cannot prove and the API can. */
function ShopSees({ visit }: { readonly visit: Visit }): ComponentChildren {
  const { payment, language } = visit
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
