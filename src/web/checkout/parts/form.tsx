import { MINUTE, SECOND } from '../../../base/clock.ts'
import type { PayInfo, Payment } from '../../../payments/payment.ts'
import { resultBy } from '../../../payments/timers/due.ts'
import { isSlow } from '../../../providers/methods/catalogue.ts'
import { momentText } from '../../kit/format/dates.ts'
import { Confirm, LinkButton } from '../../kit/html/controls.tsx'
import { Card, Notice, Statement } from '../../kit/html/layout.tsx'
import type { MethodOption, SavedMethod } from '../method-options.ts'
import { amountOf, type CheckoutRequest } from '../request.ts'
import { declineText, nothingTaken, worthRepeating } from '../rules/declines.ts'
import { type FormProps, Methods, savedId } from './methods.tsx'
import { claimUrlOf } from './result.tsx'
import { Summary } from './summary.tsx'

interface CheckoutFormProps extends FormProps {
  readonly removed: boolean
  /** Name of the provider whose page the payer left without paying. */
  readonly leftProvider: string | undefined
  /** That page could not be closed, so no other way to pay was started. */
  readonly isPageLeftOpen: boolean
}

/** The checkout form: order summary on one side, payment methods on the other. */
export function CheckoutForm(props: CheckoutFormProps) {
  const { checkout, options, attemptId, removed, problems } = props
  const { texts } = checkout.language
  return (
    <div class="checkout">
      <Summary checkout={checkout} />
      <div class="ways">
        <Notice kind="info" id="other-tab" title={texts.notices.otherTab} hidden>
          <p>{texts.notices.otherTabBody}</p>
          <p>
            <a href={checkout.base}>{texts.common.refresh}</a>
          </p>
        </Notice>
        {removed && <Notice kind="ok" title={texts.notices.removed} />}
        {problems.includes('lost') ? (
          <Notice kind="bad" title={texts.notices.declined}>
            <p>{texts.declines.trouble}</p>
            <p>{texts.notices.notCharged}</p>
          </Notice>
        ) : (
          <LastAttempt {...props} />
        )}
        <TimeLeft checkout={checkout} />
        {options.length === 0 ? <NoMethods checkout={checkout} /> : <Methods {...props} />}
        <CancelForm checkout={checkout} attemptId={attemptId} />
      </div>
    </div>
  )
}

/** Notice about the last attempt: declined, or the provider's page was left without paying. */
function LastAttempt({ checkout, leftProvider, isPageLeftOpen }: CheckoutFormProps) {
  const { payment, brand, language, base } = checkout
  const { texts } = language
  const { notices } = texts
  const { received } = payment.payInfo ?? {}
  if (received !== undefined) return <PartArrived {...{ checkout, received, leftProvider }} />
  if (leftProvider !== undefined && !isPageLeftOpen && isSlow(payment.method))
    return <PerhapsSent {...{ checkout, leftProvider }} />
  if (leftProvider !== undefined)
    return (
      <Notice
        kind={isPageLeftOpen ? 'bad' : 'info'}
        title={
          isPageLeftOpen
            ? notices.notReached({ provider: leftProvider })
            : notices.cameBack({ provider: leftProvider })
        }
      >
        <p>{isPageLeftOpen ? notices.notReachedBody({ provider: leftProvider }) : notices.cameBackBody}</p>
        <p>
          <LinkButton kind="quiet" href={`${base}/go`}>
            {notices.resume({ provider: leftProvider })}
          </LinkButton>
        </p>
      </Notice>
    )
  const declined = payment.payInfo?.declined ?? (isUnopened(payment) ? 'processing-error' : undefined)
  if (declined === undefined) return null
  const claimUrl = claimUrlOf(payment)
  return (
    <Notice kind={declined === 'customer-cancelled' ? 'info' : 'bad'} title={notices.declined}>
      <p>{declineText(texts, declined, brand.name)}</p>
      {nothingTaken(declined) && <p>{notices.notCharged}</p>}
      {claimUrl !== undefined && (
        <p>
          <LinkButton kind="quiet" href={claimUrl}>
            {texts.result.claim}
          </LinkButton>
        </p>
      )}
    </Notice>
  )
}

/** The provider's page could not be opened, and its answer is not known. */
const isUnopened = ({ attempt, redirectUrl }: Payment): boolean => attempt > 0 && redirectUrl === null

interface SentProps {
  readonly checkout: CheckoutRequest
  readonly leftProvider: string
}

/** Some providers show a page of a slow method as open until the money is there. */
function PerhapsSent({ checkout, leftProvider }: SentProps) {
  const { payment, language, base } = checkout
  const { slow, methods, notices } = language.texts
  const until = momentText(language, resultBy(payment))
  return (
    <Notice kind="info" title={slow.sent({ method: methods[payment.method ?? 'CreditCard'] })}>
      <p>{slow.sentBody({ until })}</p>
      <p>
        <LinkButton kind="quiet" href={`${base}/go`}>
          {notices.resume({ provider: leftProvider })}
        </LinkButton>
      </p>
    </Notice>
  )
}

interface PartProps {
  readonly checkout: CheckoutRequest
  readonly received: NonNullable<PayInfo['received']>
  readonly leftProvider: string | undefined
}

/** A part of the amount has arrived at the provider, and the rest may still come. */
function PartArrived({ checkout, received, leftProvider }: PartProps) {
  const { notices } = checkout.language.texts
  const until = received.until && momentText(checkout.language, new Date(received.until))
  const values = { received: amountOf(checkout, BigInt(received.minor)), amount: amountOf(checkout) }
  return (
    <Notice kind="info" title={notices.partArrived(values)}>
      <p>{until ? notices.partArrivedBodyUntil({ until }) : notices.partArrivedBody}</p>
      {leftProvider !== undefined && (
        <p>
          <LinkButton kind="quiet" href={`${checkout.base}/go`}>
            {notices.resume({ provider: leftProvider })}
          </LinkButton>
        </p>
      )}
    </Notice>
  )
}

const SHOWN_BELOW_MS = 5 * MINUTE

/** The time limit is shown late, and announced at five minutes, one minute and thirty seconds only. */
function TimeLeft({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { payment, now, language } = checkout
  const { order } = language.texts
  if (payment.expirationTime === null) return null
  const leftMs = payment.expirationTime.getTime() - now.getTime()
  const quarterMs = (payment.expirationTime.getTime() - payment.createdTime.getTime()) / 4
  const isShown = leftMs <= Math.max(quarterMs, SHOWN_BELOW_MS)
  const announcements = {
    300: order.minutesLeft({ minutes: 5 }),
    60: order.minutesLeft({ minutes: 1 }),
    30: order.secondsLeft({ seconds: 30 }),
  }
  return (
    <div
      class="time-left"
      data-left={Math.round(leftMs / SECOND)}
      data-announcements={JSON.stringify(announcements)}
    >
      <p class="muted" hidden={!isShown} data-clock={order.expiresIn({ time: '{time}' })}>
        {order.expiresIn({ time: clockText(leftMs) })}
      </p>
      <p class="visually-hidden" role="status" />
    </div>
  )
}

/** 4:59, or 3:04:59 */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND))
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [hours = 0, ...rest] = parts
  const [minutes = 0, last = 0] = rest
  const tail = `${hours > 0 ? String(minutes).padStart(2, '0') : minutes}:${String(last).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${tail}` : tail
}

function NoMethods({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { methods } = checkout.language.texts
  return (
    <Card>
      <Statement icon="alert" tone="warn" level={2} title={methods.none({ merchant: checkout.brand.name })}>
        <p>{methods.noneBody({ merchant: checkout.brand.name })}</p>
      </Statement>
    </Card>
  )
}

function CancelForm({
  checkout,
  attemptId,
}: {
  readonly checkout: CheckoutRequest
  readonly attemptId: string
}) {
  const { buttons } = checkout.language.texts
  const hasShop = checkout.payment.returnUrl !== null
  return (
    <div class="cancel">
      <Confirm
        summary={hasShop ? buttons.cancel({ merchant: checkout.brand.name }) : buttons.cancelOnly}
        question={buttons.cancelConfirm}
        button={buttons.cancelYes}
        action={`${checkout.base}/cancel`}
        hidden={{ attempt: attemptId }}
      />
    </div>
  )
}

/**
 * The row that is chosen at first. After a decline it is the method that was tried where its details are
 * typed into this page: the form is empty, and another card or account can be entered. A stored method,
 * or a method on the provider's own page, is chosen again only when the same one may work.
 */
export function firstChoice(
  checkout: CheckoutRequest,
  options: readonly MethodOption[],
  saved: readonly SavedMethod[],
): string {
  const { payment } = checkout
  const { declined } = payment.payInfo ?? {}
  const tried = triedOption(checkout, options)
  const usable = saved.filter(({ isExpired }) => !isExpired)
  const same = usable.find(({ paymentMethodId }) => paymentMethodId === payment.paymentMethodId)
  if (declined !== undefined) {
    const isRepeated = worthRepeating(declined)
    if (same && isRepeated) return savedId(same)
    if (tried && (isRepeated || tried.fields)) return tried.id
  }
  const failed = payment.redirectUrl !== null || declined !== undefined
  const preferred = usable.find(({ isDefault }) => isDefault) ?? usable[0]
  if (preferred && !(failed && preferred === same)) return savedId(preferred)
  const other = failed ? options.find((option) => option !== tried) : undefined
  return (other ?? options[0])?.id ?? ''
}

/** The row of the last attempt. Failover may have used a profile that has no row of its own. */
function triedOption(
  { payment }: CheckoutRequest,
  options: readonly MethodOption[],
): MethodOption | undefined {
  const sameMethod = options.filter(({ offer }) => offer.method === payment.method)
  return sameMethod.find(({ offer }) => offer.profile.profileId === payment.profileId) ?? sameMethod[0]
}
