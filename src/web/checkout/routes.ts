import { notFound } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { removeMethod } from '../../customers/remove-method.ts'
import type { Route } from '../../http/route.ts'
import { cancelPayment, getPayment } from '../../payments/actions.ts'
import type { Payment } from '../../payments/payment.ts'
import { recheck } from '../../payments/provider/recheck.ts'
import { endChallenge } from '../../payments/timers/close.ts'
import type { PageAssets } from '../kit/assets/assets.ts'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import type { PageCall } from '../kit/request/call.ts'
import { createPageRoutes } from '../kit/request/page-route.ts'
import { readAttemptId } from './attempt-id.ts'
import { savedMethodsOf } from './method-options.ts'
import { createPages, type Pages } from './pages.tsx'
import { savedId } from './parts/methods.tsx'
import { type PayRequest, type PaySubmitted, payFromForm, withTimeout } from './pay.ts'
import { providerPageOf } from './provider-page.ts'
import { type CheckoutRequest, currentStep, findCheckout, noteStep } from './request.ts'
import { returnUrlOf } from './rules/return-url.ts'
import { type CheckoutStep, stepUrl } from './rules/step.ts'

type Show = (checkout: CheckoutRequest, call: PageCall) => Promise<PageAnswer> | PageAnswer

/**
 * The hosted checkout. Every GET shows the page for the payment's current state or redirects to it, and every
 * POST redirects to a GET. So the back button, a refresh, a second tab and an old link show the same page.
 */
export function checkoutRoutes(ctx: Context, assets: PageAssets): Route[] {
  const page = createPageRoutes(ctx, assets, 'checkout')
  const pages = createPages(ctx, assets)
  const at = (step: CheckoutStep, show: Show) => async (call: PageCall) => {
    const checkout = await checkoutOf(ctx, call)
    const now = await currentStep(ctx, checkout)
    if (now !== step) return seeOther(stepUrl(checkout.base, now, checkout.payment.attempt))
    return show(checkout, call)
  }
  const get = (path: string, summary: string, handler: (call: PageCall) => Promise<PageAnswer>) =>
    page({ method: 'GET', path: `/c/{paymentKey}${path}`, summary, handler })
  const post = (path: string, summary: string, handler: (call: PageCall) => Promise<PageAnswer>) =>
    page({ method: 'POST', path: `/c/{paymentKey}${path}`, summary, handler })

  return [
    get(
      '',
      'The hosted checkout of a payment',
      at('form', (checkout, call) => {
        if (call.isVisit) noteStep(ctx, checkout, call, { step: 'opened' })
        return showForm(pages, checkout, call)
      }),
    ),
    get('/status', 'While the provider is at work', at('status', pages.status)),
    get('/result', 'How the payment ended', at('result', pages.result)),
    get(
      '/challenge/{attempt}',
      'The payer’s bank asks',
      at('challenge', (checkout) => pages.challenge(checkout, checkout.payment.redirectUrl ?? checkout.base)),
    ),
    get('/receipt', 'A receipt to print', (call) => showReceipt(ctx, pages, call)),
    get('/go', 'On to the provider', (call) => goToProvider(ctx, pages, call)),
    get('/continue/{attempt}', 'On to a page that a form opens', (call) => goToProvider(ctx, pages, call)),
    get('/back/{attempt}', 'Back from a provider', (call) => returnFromProvider(ctx, pages, call)),
    get('/return', 'Back to the shop', (call) => returnToShop(ctx, call)),
    get('/pay', 'Back from the provider’s fields, with a token', (call) => payWithToken(ctx, call)),
    post('/pay', 'Start an attempt', (call) => payWithForm(ctx, call)),
    post('/cancel', 'The payer cancels', (call) => cancel(ctx, call)),
    post('/another-way', 'The payer leaves the bank’s challenge', (call) => leaveChallenge(ctx, call)),
    post('/methods/{paymentMethodId}/remove', 'Forget a stored method', (call) => removeSaved(ctx, call)),
    page({
      method: 'GET',
      path: '/test-cards',
      isPlain: true,
      summary: 'What to type in a sandbox',
      handler: async () => seeOther('/docs/test-values'),
    }),
    page({
      method: 'GET',
      path: '/checkout',
      isPlain: true,
      summary: 'The same by its older address',
      handler: async ({ query }) => seeOther(`/c/${encodeURIComponent(query.paymentKey ?? '-')}`),
    }),
  ]
}

async function checkoutOf(ctx: Context, call: PageCall): Promise<CheckoutRequest> {
  const { lang, acceptLanguage, params } = call
  const checkout = await findCheckout(ctx, { paymentKey: params.paymentKey ?? '', lang, acceptLanguage })
  if (!checkout) throw notFound('The payment')
  call.admit(checkout.payment.paymentKey)
  return checkout
}

function showForm(pages: Pages, checkout: CheckoutRequest, { query }: PageCall): Promise<PageAnswer> {
  const problems = (query.problems ?? '').split('.').filter(Boolean)
  const saved = query._saved === undefined ? undefined : savedId({ paymentMethodId: Number(query._saved) })
  const [removed, isPageLeftOpen] = [query.removed === 'yes', query.open === 'yes']
  return pages.form(checkout, { problems, row: saved ?? query._way, removed, isPageLeftOpen })
}

/** Redirects to the current page of a changed payment. */
async function redirectToStep(
  ctx: Context,
  checkout: CheckoutRequest,
  payment: Payment,
): Promise<PageAnswer> {
  const changed = { ...checkout, payment }
  const step = await currentStep(ctx, changed)
  const waitsAtProvider =
    step === 'form' && payment.redirectUrl !== null && payment.attempt > checkout.payment.attempt
  return seeOther(waitsAtProvider ? `${checkout.base}/go` : stepUrl(checkout.base, step, payment.attempt))
}

/** A page that could not be closed is named on the form, with the row that was submitted. */
function afterPaying(
  ctx: Context,
  checkout: CheckoutRequest,
  { payment, isPageLeftOpen }: PaySubmitted,
  { optionId, saved }: Pick<PayRequest, 'optionId' | 'saved'>,
): Promise<PageAnswer> | PageAnswer {
  if (!isPageLeftOpen) return redirectToStep(ctx, checkout, payment)
  const row = saved === undefined ? { _way: optionId ?? '' } : { _saved: saved }
  return seeOther(`${checkout.base}?${new URLSearchParams({ ...row, open: 'yes' })}`)
}

async function payWithForm(ctx: Context, call: PageCall): Promise<PageAnswer> {
  const checkout = await checkoutOf(ctx, call)
  const { form, address } = call
  noteStep(ctx, checkout, call, { step: 'submitted', optionId: form.get('way') })
  const request = {
    attempt: form.get('attempt') ?? '',
    optionId: form.get('way'),
    saved: form.get('saved'),
    save: form.get('save') === 'yes',
    address,
  }
  return afterPaying(ctx, checkout, await payFromForm(ctx, checkout, request), request)
}

/** Return from the provider: with a token to pay with, or with the fields to correct. */
async function payWithToken(ctx: Context, call: PageCall): Promise<PageAnswer> {
  const checkout = await checkoutOf(ctx, call)
  const { query, address } = call
  const { _way: optionId = '', _saved: saved, problems, token } = query
  noteStep(ctx, checkout, call, { step: problems || !token ? 'chosen' : 'submitted', optionId })
  if (problems || !token) {
    const row = saved === undefined ? { _way: optionId } : { _saved: saved }
    const again = new URLSearchParams({ ...row, problems: problems ?? '' })
    return seeOther(`${checkout.base}?${again}`)
  }
  const save = query._save === 'yes'
  const request = { attempt: query._attempt ?? '', optionId, saved, token, save, address }
  return afterPaying(ctx, checkout, await payFromForm(ctx, checkout, request), request)
}

/** With an attempt in the URL, only while that attempt is the current one. */
async function goToProvider(ctx: Context, pages: Pages, call: PageCall): Promise<PageAnswer> {
  const checkout = await checkoutOf(ctx, call)
  const { payment, base } = checkout
  const { attempt = String(payment.attempt) } = call.params
  const step = await currentStep(ctx, checkout)
  const isOpen = step === 'form' || step === 'provider' || step === 'challenge'
  const to = isOpen && attempt === String(payment.attempt) ? providerPageOf(checkout) : undefined
  return to ? pages.provider(checkout, to, call.isFramed) : seeOther(stepUrl(base, step, payment.attempt))
}

/** A returning browser proves nothing: the payment's state is read from the provider. */
async function returnFromProvider(ctx: Context, pages: Pages, call: PageCall): Promise<PageAnswer> {
  const checkout = await checkoutOf(ctx, call)
  const { app, payment, base } = checkout
  const isLatest = call.params.attempt === String(payment.attempt)
  const current = isLatest
    ? ((await withTimeout(ctx, app, recheck(ctx, app, payment))) ??
      (await getPayment(ctx, app, payment.paymentId)))
    : payment
  const step = await currentStep(ctx, { ...checkout, payment: current })
  // Do not send the payer back to a bank page that they left without an answer.
  const to = stepUrl(base, step === 'challenge' ? 'status' : step, current.attempt)
  return call.isFramed ? pages.leaveFrame(checkout, to) : seeOther(to)
}

async function returnToShop(ctx: Context, call: PageCall): Promise<PageAnswer> {
  const { payment, base } = await checkoutOf(ctx, call)
  return seeOther(returnUrlOf(payment) ?? `${base}/result`)
}

async function showReceipt(ctx: Context, pages: Pages, call: PageCall): Promise<PageAnswer> {
  const checkout = await checkoutOf(ctx, call)
  return checkout.payment.capturedMinor > 0n ? pages.receipt(checkout) : seeOther(checkout.base)
}

/** Cancels an open payment only. A payment that was paid in another tab is left to the merchant. */
async function cancel(ctx: Context, call: PageCall): Promise<PageAnswer> {
  const checkout = await checkoutOf(ctx, call)
  const { app, payment } = checkout
  const isValidForm = readAttemptId(ctx, payment.paymentKey, call.form.get('attempt') ?? '') !== undefined
  if (!isValidForm || payment.state !== 'Created') return redirectToStep(ctx, checkout, payment)
  return redirectToStep(
    ctx,
    checkout,
    await cancelPayment(ctx, app, payment, { waitMs: LIMITS.checkoutWaitMs }),
  )
}

/** The charge is cancelled first, so that the old challenge cannot be paid any more. */
async function leaveChallenge(ctx: Context, call: PageCall): Promise<PageAnswer> {
  const checkout = await checkoutOf(ctx, call)
  const { app, payment } = checkout
  const isValidForm = readAttemptId(ctx, payment.paymentKey, call.form.get('attempt') ?? '') !== undefined
  if (!isValidForm) return redirectToStep(ctx, checkout, payment)
  const ended = await withTimeout(ctx, app, endChallenge(ctx, app, payment))
  return redirectToStep(ctx, checkout, ended ?? (await getPayment(ctx, app, payment.paymentId)))
}

async function removeSaved(ctx: Context, call: PageCall): Promise<PageAnswer> {
  const checkout = await checkoutOf(ctx, call)
  const { app, payment, base } = checkout
  const isValidForm = readAttemptId(ctx, payment.paymentKey, call.form.get('attempt') ?? '') !== undefined
  const shown = (await savedMethodsOf(ctx, checkout)).find(
    ({ paymentMethodId }) => String(paymentMethodId) === call.params.paymentMethodId,
  )
  if (!isValidForm || !shown) return seeOther(base)
  await removeMethod(ctx, app, payment.customerId, shown.paymentMethodId)
  return seeOther(`${base}?removed=yes`)
}
