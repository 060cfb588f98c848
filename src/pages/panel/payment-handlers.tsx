import type { Context } from '../../context.ts'
import { ReceiptPage } from '../checkout/parts/receipt.tsx'
import { type PageAnswer, type PageCall, seeOther } from '../page-route.tsx'
import { ownPayment } from './ownership.ts'
import type { DrawPanel } from './parts/draw.tsx'
import { PaymentPage, visitOf } from './parts/payment.tsx'
import { pageOf, payAgain, payableOf } from './pay-again.ts'
import type { Guest } from './session.ts'

/** A reference is taken between looking and writing at most once for each that can be derived. */
const MOST_TRIES = 4

export function createPaymentDesk(ctx: Context, draw: DrawPanel) {
  const own = (guest: Guest, id: number) => ownPayment(ctx, guest, id)
  const titleOf = ({ language }: Guest, id: number) => language.words.panel.paymentTitle(String(id))
  return {
    async show(guest: Guest, _call: PageCall, id: number): Promise<PageAnswer> {
      const payment = await own(guest, id)
      const payable = await payableOf(ctx, guest, payment)
      return draw(guest, {
        name: 'panel-payment',
        title: titleOf(guest, id),
        here: `/p/payments/${id}`,
        children: <PaymentPage guest={guest} payment={payment} payable={payable} />,
      })
    },

    async receipt(guest: Guest, _call: PageCall, id: number): Promise<PageAnswer> {
      const payment = await own(guest, id)
      const here = `/p/payments/${id}`
      if (payment.capturedMinor === 0n) return seeOther(here)
      return draw(guest, {
        name: 'receipt',
        title: titleOf(guest, id),
        here: `${here}/receipt`,
        children: <ReceiptPage visit={visitOf(guest, payment)} back={here} />,
      })
    },

    /** Decided anew: the page may have been open for a while. */
    async pay(guest: Guest, _call: PageCall, id: number): Promise<PageAnswer> {
      const payment = await own(guest, id)
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const payable = await payableOf(ctx, guest, payment)
        if (payable?.kind === 'open') return seeOther(pageOf(payable.payment))
        if (payable?.kind !== 'failed') break
        const page = await payAgain(ctx, guest, payment, payable.referenceId)
        if (page) return seeOther(page)
      }
      return seeOther(`/p/payments/${id}`)
    },
  }
}
