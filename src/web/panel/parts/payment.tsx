import type { Payment } from '../../../payments/payment.ts'
import { claimUrlOf, methodText } from '../../checkout/parts/result.tsx'
import { Lines, Sums } from '../../checkout/parts/summary.tsx'
import { amountOf, type CheckoutRequest } from '../../checkout/request.ts'
import { declineText } from '../../checkout/rules/declines.ts'
import { orderOf } from '../../checkout/rules/order.ts'
import { momentText } from '../../kit/format/dates.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Button, Hidden, LinkButton } from '../../kit/html/controls.tsx'
import { Card, KeyValue, Notice } from '../../kit/html/layout.tsx'
import { StatePill } from '../../kit/html/state.tsx'
import type { Payable } from '../pay-again.ts'
import type { PanelVisitor } from '../session.ts'
import { BackLink } from './method.tsx'

/** Lets the panel reuse components of the checkout, with panel URLs. */
export const checkoutOf = (
  { app, brand, language, now }: PanelVisitor,
  payment: Payment,
): CheckoutRequest => ({
  app,
  brand,
  language,
  now,
  payment,
  base: `/p/payments/${payment.paymentId}`,
})

export interface PaymentProps {
  readonly visitor: PanelVisitor
  readonly payment: Payment
  readonly payable: Payable | undefined
}

export function PaymentPage({ visitor, payment, payable }: PaymentProps) {
  const checkout = checkoutOf(visitor, payment)
  const { language } = visitor
  const { texts } = language
  const order = orderOf(payment)
  return (
    <div class="narrow">
      <BackLink visitor={visitor} />
      <Card>
        <div class="card-head">
          <h1>{texts.panel.paymentTitle({ number: String(payment.paymentId) })}</h1>
          <StatePill texts={texts} payment={payment} />
        </div>
        <p class="amount">
          <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
        </p>
        <StateNotice visitor={visitor} payment={payment} payable={payable} />
        <PaymentFacts checkout={checkout} />
        {order.lines.length > 0 && <Lines checkout={checkout} order={order} />}
        {(order.lines.length > 0 || order.sums.length > 0) && <Sums checkout={checkout} order={order} />}
        <div class="actions">
          <PayForm checkout={checkout} formId={visitor.formId} payable={payable} />
          {payment.capturedMinor > 0n && (
            <LinkButton href={`${checkout.base}/receipt`} kind="quiet">
              {texts.buttons.receipt}
            </LinkButton>
          )}
        </div>
      </Card>
    </div>
  )
}

/** Notice about the current state of the payment. */
function StateNotice({ visitor, payment, payable }: PaymentProps) {
  const { texts } = visitor.language
  const { panel } = texts
  if (payable?.kind === 'paid-later')
    return (
      <Notice kind="ok" title={panel.paidLater}>
        {visitor.grant.task === undefined && (
          <p>
            <a href={`/p/payments/${payable.payment.paymentId}`}>
              {panel.paymentTitle({ number: String(payable.payment.paymentId) })}
            </a>
          </p>
        )}
      </Notice>
    )
  const claimUrl = claimUrlOf(payment)
  if (claimUrl)
    return (
      <Notice kind="info" title={texts.result.claimBody}>
        <p>
          <LinkButton kind="quiet" href={claimUrl}>
            {texts.result.claim}
          </LinkButton>
        </p>
      </Notice>
    )
  const declined = payment.failure?.declineCode
  const why = declined && declineText(texts, declined, visitor.brand.name)
  if (payable && payment.state === 'Failed')
    return (
      <Notice kind="info" title={panel.failedBody}>
        {why && <p>{why}</p>}
      </Notice>
    )
  if (payable) return <Notice kind="info" title={panel.unpaidBody} />
  return why ? <Notice kind="info" title={why} /> : null
}

interface PayProps {
  readonly checkout: CheckoutRequest
  readonly formId: string
  readonly payable: Payable | undefined
}

function PayForm({ checkout, formId, payable }: PayProps) {
  const label = checkout.language.texts.buttons.pay({ amount: amountOf(checkout) })
  if (payable?.kind !== 'open' && payable?.kind !== 'failed') return null
  return (
    <form method="post" action={`${checkout.base}/pay`} class="pay-form" data-pay>
      <Hidden values={{ form: formId }} />
      <Button>{label}</Button>
    </form>
  )
}

function PaymentFacts({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { payment, language } = checkout
  const { common, panel, receipt } = language.texts
  const { orderId } = payment.details
  const description = shortText(payment.details.description, DESCRIPTION_SHOWN)
  const method = methodText(checkout)
  return (
    <KeyValue
      rows={[
        description ? [panel.paymentFor, <bdi>{description}</bdi>] : undefined,
        [common.date, momentText(language, payment.createdTime)],
        method ? [common.method, <bdi>{method}</bdi>] : undefined,
        orderId ? [common.order, <bdi>{orderId}</bdi>] : undefined,
        [common.reference, <bdi>{payment.referenceId}</bdi>],
        payment.refundedMinor > 0n
          ? [
              receipt.refunded,
              <MoneyText language={language} minor={payment.refundedMinor} currency={payment.currency} />,
            ]
          : undefined,
      ]}
    />
  )
}
