import type { Context } from '../../context.ts'
import { pageOriginsOf } from '../../merchants/profiles/call.ts'
import { profileOf } from '../../payments/provider/inputs.ts'
import { ReceiptPage } from '../checkout/parts/receipt.tsx'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import type { PageCall } from '../kit/request/call.ts'
import { ownPayment } from './ownership.ts'
import { checkoutOf, PaymentPage } from './parts/payment.tsx'
import type { RenderPanel } from './parts/render.tsx'
import { checkoutUrlOf, type Payable, payAgain, payableOf } from './pay-again.ts'
import type { PanelVisitor } from './session.ts'

/** Paying a payment that has no checkout of ours redirects to the provider's page. */
function pageOriginsFor(
  ctx: Context,
  { app }: PanelVisitor,
  payable: Payable | undefined,
): readonly string[] {
  if (payable?.kind !== 'open' || payable.payment.flow !== 'ProviderHostedPage') return []
  if (payable.payment.redirectUrl === null) return []
  return pageOriginsOf(ctx, app, profileOf(app, payable.payment))
}

/** A concurrent payment can take each derived reference once, so a few tries suffice. */
const MAX_TRIES = 4

export function createPaymentHandlers(ctx: Context, render: RenderPanel) {
  const own = (visitor: PanelVisitor, id: number) => ownPayment(ctx, visitor, id)
  const titleOf = ({ language }: PanelVisitor, id: number) =>
    language.texts.panel.paymentTitle({ number: String(id) })
  return {
    async show(visitor: PanelVisitor, _call: PageCall, id: number): Promise<PageAnswer> {
      const payment = await own(visitor, id)
      const payable = await payableOf(ctx, visitor, payment)
      return render(visitor, {
        name: 'panel-payment',
        title: titleOf(visitor, id),
        here: `/p/payments/${id}`,
        children: <PaymentPage visitor={visitor} payment={payment} payable={payable} />,
        security: { formOrigins: pageOriginsFor(ctx, visitor, payable) },
      })
    },

    async receipt(visitor: PanelVisitor, _call: PageCall, id: number): Promise<PageAnswer> {
      const payment = await own(visitor, id)
      const here = `/p/payments/${id}`
      if (payment.capturedMinor === 0n) return seeOther(here)
      return render(visitor, {
        name: 'receipt',
        title: titleOf(visitor, id),
        here: `${here}/receipt`,
        children: <ReceiptPage checkout={checkoutOf(visitor, payment)} back={here} />,
      })
    },

    /** Reads the payment again: the page may be out of date. */
    async pay(visitor: PanelVisitor, _call: PageCall, id: number): Promise<PageAnswer> {
      const payment = await own(visitor, id)
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const payable = await payableOf(ctx, visitor, payment)
        if (payable?.kind === 'open') return seeOther(checkoutUrlOf(payable.payment))
        if (payable?.kind !== 'failed') break
        const page = await payAgain(ctx, visitor, payment, payable.referenceId)
        if (page) return seeOther(page)
      }
      return seeOther(`/p/payments/${id}`)
    },
  }
}
