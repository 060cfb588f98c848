import { duplicateSeconds, orderOf, type Site, said } from './handlers.ts'
import { purchase } from './processing.ts'
import { type Account, newId, type Page } from './state.ts'
import { textOf } from './views.ts'

/** Accept Hosted: a page that is opened by posting its token. */

export interface PageAnswer {
  readonly status: number
  readonly html?: string
  readonly location?: string
}

const CARD: Account = { kind: 'card', type: 'Visa', number: 'XXXX1111' }
const BANK: Account = { kind: 'bank', type: 'eCheck', number: 'XXXX6789', name: 'Dana Moreno' }

export function pageAnswer(
  site: Site,
  path: string,
  form: Readonly<Record<string, string>>,
): PageAnswer | undefined {
  if (path !== '/payment/payment' && path !== '/payment/submit') return undefined
  const page = site.state.pages.get(form.token ?? '')
  // A token is not used up: the customer can go back to a form that is still shown.
  const isOver =
    !page ||
    (page.isUsed && form.again !== 'yes') ||
    (path === '/payment/payment' && site.state.now() >= page.expiresAt)
  if (isOver) return { status: 200, html: shell('<p role="alert">Missing or invalid token</p>') }
  return path === '/payment/payment'
    ? { status: 200, html: payForm(page) }
    : submit(site, page, form.act ?? '')
}

const returnsOf = ({ settings }: Page) => settings.hostedPaymentReturnOptions ?? {}

function submit(site: Site, page: Page, act: string): PageAnswer {
  const { request, refId } = page
  if (act === 'cancel') return { status: 303, location: said(returnsOf(page), 'cancelUrl') }
  const [, code] = /^decline:(\d+)$/.exec(act) ?? []
  const isBank = page.settings.hostedPaymentPaymentOptions?.showBankAccount === true
  const { state } = site
  const done = purchase(state, {
    type: said(request, 'transactionType') as 'authOnlyTransaction',
    ...{ amount: said(request, 'amount'), currency: said(request, 'currencyCode'), refId },
    ...orderOf(request),
    // Every payer has another card.
    account: isBank ? BANK : { ...CARD, number: state.card ?? `XXXX${newId().slice(-4)}` },
    duplicateSeconds: duplicateSeconds(site, request),
    ...(code === undefined ? {} : { declines: Number(code) }),
  })
  const reason = 'transaction' in done ? done.transaction.responseCode : 3
  if (reason === 2 || reason === 3)
    return { status: 200, html: payForm(page, textOf('transaction' in done ? done.code : done.refused)) }
  page.isUsed = true
  return { status: 303, location: said(returnsOf(page), 'url') }
}

function payForm(page: Page, problem = ''): string {
  const { request, token } = page
  const button = (act: string, name: string) => `<button name="act" value="${act}">${name}</button>`
  const amount = `${said(request, 'amount')} ${said(request, 'currencyCode')}`
  const buttons = [button('pay', 'Pay'), button('decline:2', 'Decline'), button('cancel', 'Cancel')].join(
    '\n',
  )
  return shell(
    `${problem ? `<p role="alert">${problem}</p>` : ''}<p>${amount}</p>
    <form method="post" action="/payment/submit"><input type="hidden" name="token" value="${token}">
    ${buttons}</form>`,
  )
}

const shell = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Payment</title><h1>Payment</h1>${body}</html>`
