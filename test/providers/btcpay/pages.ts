import { decimalText } from '../../../src/base/money.ts'
import { claimedOf, type Invoice, isCompleted, type PullPayment, receivedOf } from './state.ts'
import type { Store } from './store.ts'

/** The pages that payers see: the checkout of an invoice and the claim page of a refund. */

export interface PageAnswer {
  readonly status: number
  readonly html?: string
  readonly location?: string
}

type Form = Readonly<Record<string, string>>

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)

const page = (title: string, content: string): PageAnswer => ({
  status: 200,
  html:
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
    `<h1>${title}</h1>${content}`,
})

const button = (act: string, label: string): string =>
  `<form method="post"><button name="act" value="${act}">${label}</button></form>`

/** Undefined: no such page. */
export function pageAnswer(store: Store, path: string, form: Form | undefined): PageAnswer | undefined {
  store.tick()
  const [, kind, id = ''] = path.split('/')
  const invoice = kind === 'i' ? store.invoices.get(id) : undefined
  if (invoice) return form ? actOnInvoice(store, invoice, form) : checkoutPage(invoice)
  const pull = kind === 'pull-payments' ? store.pulls.get(id) : undefined
  if (pull) return form ? actOnPull(store, pull, form) : claimPage(pull)
  return undefined
}

function checkoutPage(invoice: Invoice): PageAnswer {
  const { amount, currency, status, redirectUrl } = invoice
  const due = amount - receivedOf(invoice)
  const open = status === 'New'
  const back = redirectUrl
    ? `<p><a href="${escaped(redirectUrl)}">Cancel and return to the store</a></p>`
    : ''
  return page(
    'BTCPay Server checkout',
    `<p>${decimalText(amount, currency)} ${currency}, status ${status}, ` +
      `due ${decimalText(due < 0n ? 0n : due, currency)} ${currency}</p>` +
      (open
        ? button('pay', 'Pay') +
          button('lightning', 'Pay with Lightning') +
          button('part:50', 'Pay half') +
          button('part:120', 'Pay too much') +
          button('decline', 'Decline')
        : '') +
      back,
  )
}

function actOnInvoice(store: Store, invoice: Invoice, { act = '', percent = '' }: Form): PageAnswer {
  const { chain } = store
  const due = invoice.amount - receivedOf(invoice)
  const share = Number(/^part:(\d{1,4})$/.exec(act)?.[1] ?? percent)
  if (act === 'pay' && due > 0n) chain.receive(invoice, { minor: due, method: 'BTC-CHAIN', stuck: false })
  if (act === 'lightning' && due > 0n) chain.receive(invoice, { minor: due, method: 'BTC-LN', stuck: false })
  const part = act.startsWith('part') ? (invoice.amount * BigInt(share)) / 100n : 0n
  // The page shows what is due: more than that is sent by mistake, which has a button of its own.
  const minor = share > 100 || part < due ? part : due
  if (part > 0n && minor > 0n) chain.receive(invoice, { minor, method: 'BTC-CHAIN', stuck: false })
  if (act === 'decline') {
    if (due > 0n) chain.receive(invoice, { minor: due, method: 'BTC-CHAIN', stuck: true })
    chain.fail(invoice)
  }
  if (act === 'stuck' && due > 0n) chain.receive(invoice, { minor: due, method: 'BTC-CHAIN', stuck: true })
  const leaves = invoice.status !== 'New' && invoice.redirectAutomatically && invoice.redirectUrl
  return { status: 303, location: leaves ? (invoice.redirectUrl ?? '') : `/i/${invoice.id}` }
}

function claimPage(pull: PullPayment): PageAnswer {
  const { name, minor, currency, archived } = pull
  const left = minor - claimedOf(pull)
  const state = isCompleted(pull) ? 'paid out' : archived ? 'archived' : left > 0n ? 'open' : 'claimed'
  return page(
    escaped(name),
    `<p>${decimalText(minor, currency)} ${currency}, ${state}</p>` +
      (left > 0n && !archived ? button('claim', 'Claim') + button('claim:50', 'Claim half') : ''),
  )
}

function actOnPull(store: Store, pull: PullPayment, { act = '' }: Form): PageAnswer {
  const left = pull.minor - claimedOf(pull)
  const share = BigInt(/^claim:(\d{1,3})$/.exec(act)?.[1] ?? 100)
  const wanted = (pull.minor * share) / 100n
  const minor = wanted < left ? wanted : left
  if (minor > 0n && !pull.archived && act.startsWith('claim')) store.chain.claim(pull, minor)
  return { status: 303, location: `/pull-payments/${pull.id}` }
}
