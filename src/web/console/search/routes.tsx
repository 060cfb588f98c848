import { isPayerId, readEventId } from '../../../base/ids.ts'
import type { Customer } from '../../../customers/commands.ts'
import type { ListedPayment } from '../../../payments/search/filter.ts'
import { findAnything } from '../../../payments/search/search.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import { methodName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { menuOf } from '../../kit/frame/menu.ts'
import { actionsOf } from '../../kit/frame/palette.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { List } from '../../kit/list.tsx'
import { jsonAnswer, type PageAnswer } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'

export const searchScreens = (): ScreenRoute[] => [app('GET', '/search', 'PaymentRead', show)]

/** A page, or the answer for the palette. */
async function show(request: AppRequest): Promise<PageAnswer> {
  const { call, texts, base } = request
  const { search } = texts
  const text = (call.query.q ?? '').trim()
  const results = await findResults(request, text)
  const headers = { vary: 'accept' }
  if (call.wantsJson) return jsonAnswer(results, headers)
  const inPayments = <a href={`${base}/payments?${new URLSearchParams({ q: text })}`}>{search.inPayments}</a>
  return renderScreen(request, {
    name: 'search',
    title: text ? search.results({ text: shortText(text, NAME_SHOWN) ?? '' }) : search.title,
    headers,
    children: (
      <>
        <List
          caption={search.title}
          items={results}
          href={({ href }) => href}
          columns={[
            {
              label: search.result,
              cell: ({ href, label }) => (
                <a href={href}>
                  <bdi>{label}</bdi>
                </a>
              ),
            },
            { label: search.kind, cell: ({ kind }) => search.kinds[kind] },
            { label: search.detail, cell: ({ detail }) => <bdi>{detail}</bdi> },
          ]}
          empty={{ title: search.empty, body: search.emptyBody, more: inPayments }}
        />
        {text && results.length > 0 && <p>{inPayments}</p>}
      </>
    ),
  })
}

/** One result, for the page and for the palette. */
interface SearchResult {
  readonly kind: 'payment' | 'customer' | 'event' | 'request' | 'screen'
  readonly label: string
  readonly href: string
  readonly detail: string
}

const MAX_TEXT = 200

/** What a text may mean: ids, references, customers, last four digits, screens. */
async function findResults(request: AppRequest, text: string): Promise<SearchResult[]> {
  const { ctx, app } = request
  const wanted = text.trim().slice(0, MAX_TEXT)
  if (wanted === '') return screensOf(request, '')
  const logged = [...eventsOf(request, wanted), ...requestsOf(request, wanted)]
  if (logged.length > 0) return logged
  const { payments, customers } = await findAnything(ctx, app, wanted)
  return [
    ...payments.map((payment) => paymentResult(request, payment)),
    ...(request.can('CustomerRead') ? customers.map((customer) => customerResult(request, customer)) : []),
    ...screensOf(request, wanted),
  ]
}

function paymentResult(request: AppRequest, payment: ListedPayment): SearchResult {
  const { language, texts, base } = request
  const amount = moneyInText(language, payment.amountMinor, payment.currency)
  const detail = [
    texts.frame.states[payment.state],
    methodName(request, payment),
    shortText(payment.referenceId, NAME_SHOWN),
    isPayerId(payment.customerId) ? texts.frame.payerOfLink : shortText(payment.customerId, NAME_SHOWN),
  ]
  return {
    kind: 'payment',
    label: `${amount} · ${payment.paymentId}`,
    href: `${base}/payments/${payment.paymentId}`,
    detail: detail.filter(Boolean).join(' · '),
  }
}

function customerResult({ base }: AppRequest, customer: Customer): SearchResult {
  const { customerId, firstName, lastName, email } = customer
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return {
    kind: 'customer',
    label: shortText(name || customerId, NAME_SHOWN) ?? customerId,
    href: `${base}/customers/${encodeURIComponent(customerId)}`,
    detail: [name ? shortText(customerId, NAME_SHOWN) : '', shortText(email ?? '', NAME_SHOWN)]
      .filter(Boolean)
      .join(' · '),
  }
}

function eventsOf({ base, can }: AppRequest, text: string): SearchResult[] {
  const event = readEventId(text)
  if (!event) return []
  const payment: SearchResult = {
    kind: 'payment',
    label: String(event.paymentId),
    href: `${base}/payments/${event.paymentId}`,
    detail: '',
  }
  if (!can('DeveloperRead')) return [payment]
  return [{ kind: 'event', label: text, href: `${base}/developers/events/${text}`, detail: '' }, payment]
}

const requestsOf = ({ base, can }: AppRequest, text: string): SearchResult[] =>
  /^req_[0-9a-z]{1,40}$/.test(text) && can('DeveloperRead')
    ? [{ kind: 'request', label: text, href: `${base}/developers/api-log/${text}`, detail: '' }]
    : []

/** Screens and actions whose name has a word that begins like the text. */
function screensOf(request: AppRequest, text: string): SearchResult[] {
  const { base, texts } = request
  const screens = menuOf(request).map(({ name }) => ({ label: texts[name].title, href: `${base}/${name}` }))
  const begins = (label: string): boolean =>
    label
      .toLowerCase()
      .split(/\s+/)
      .some((_word, place, words) => words.slice(place).join(' ').startsWith(text.toLowerCase()))
  const actions = text === '' ? [] : actionsOf(request)
  return [...screens, ...actions]
    .filter(({ label }) => begins(label))
    .map((screen) => ({ kind: 'screen', detail: '', ...screen }))
}
