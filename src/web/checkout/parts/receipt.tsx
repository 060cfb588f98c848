import { momentText } from '../../kit/format/dates.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { Button, LinkButton } from '../../kit/html/controls.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { StatePill } from '../../kit/html/state.tsx'
import type { CheckoutRequest } from '../request.ts'
import { orderOf } from '../rules/order.ts'
import { methodText } from './result.tsx'
import { Lines, Sums } from './summary.tsx'

interface ReceiptProps {
  readonly checkout: CheckoutRequest
  readonly back: string
}

/** For printing or saving as PDF: no meaning depends on colour, buttons are not printed. */
export function ReceiptPage({ checkout, back }: ReceiptProps) {
  const { payment, language, brand } = checkout
  const { texts } = language
  const { receipt, common, buttons } = texts
  const order = orderOf(payment)
  const method = methodText(checkout)
  const payer = payment.payInfo?.payer?.fullName
  return (
    <div class="narrow">
      <Card class="receipt">
        <div class="card-head">
          <h1>{receipt.title}</h1>
          <StatePill texts={texts} payment={payment} />
        </div>
        <KeyValue
          rows={[
            [common.merchant, <bdi>{brand.name}</bdi>],
            [receipt.paidOn, momentText(language, payment.stateTime)],
            payer ? [receipt.payer, <bdi>{payer}</bdi>] : undefined,
            method ? [common.method, <bdi>{method}</bdi>] : undefined,
            order.orderId ? [common.order, <bdi>{order.orderId}</bdi>] : undefined,
            [common.reference, <bdi>{payment.referenceId}</bdi>],
            [receipt.paymentNumber, <span class="number">{payment.paymentId}</span>],
          ]}
        />
        {order.description && (
          <p>
            <bdi>{order.description}</bdi>
          </p>
        )}
        {order.lines.length > 0 && <Lines checkout={checkout} order={order} />}
        <Sums checkout={checkout} order={order} />
        {payment.refundedMinor > 0n && (
          <KeyValue
            rows={[
              [
                receipt.refunded,
                <MoneyText language={language} minor={payment.refundedMinor} currency={payment.currency} />,
              ],
            ]}
          />
        )}
        <p class="small muted">{receipt.note({ merchant: brand.name })}</p>
        <div class="actions">
          <Button type="button" kind="quiet" hidden id="print">
            {buttons.print}
          </Button>
          <LinkButton href={back} kind="quiet">
            {texts.common.back}
          </LinkButton>
        </div>
      </Card>
    </div>
  )
}
