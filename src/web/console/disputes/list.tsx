import { disputeSums, listDisputes } from '../../../disputes/commands.ts'
import type { DisputeState, DisputeTotal, ListedDispute } from '../../../disputes/dispute.ts'
import { cursorText, readCursor } from '../../../disputes/view.ts'
import { payersOf } from '../../../payments/search/search.ts'
import { Money } from '../../kit/format/money.tsx'
import { profileName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { CustomerLink, PersonName } from '../../kit/html/text.tsx'
import { List } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { Deadline, DisputeBadge, doneText, reasonText } from './words.tsx'

const PAGE_SIZE = 50
const TABS = ['open', 'won', 'lost', 'all'] as const
type Tab = (typeof TABS)[number]

/** The disputes of one state, or all of them, with counts and sums. */
export async function showDisputes(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, call, texts } = request
  const { disputes: words } = texts
  const tab = TABS.find((name) => name === call.query.state) ?? 'open'
  const wish = {
    ...(tab !== 'all' && { state: tab }),
    after: readCursor(call.query.cursor),
    limit: PAGE_SIZE,
  }
  const [totals, { items, next }] = await Promise.all([disputeSums(ctx, app), listDisputes(ctx, app, wish)])
  const payers = await payersOf(ctx, app, items)
  return renderScreen(request, {
    name: 'disputes',
    title: words.title,
    tabs: TABS.map((name) => ({
      label: words.tab({ name: words.tabs[name], count: countOf(totals, name) }),
      href: `${base}/disputes?state=${name}`,
      isCurrent: name === tab,
    })),
    children: (
      <>
        <p class="muted">{words.intro}</p>
        <Sums totals={totals.filter((one) => isIn(tab, one))} />
        <DisputeList items={items} payers={payers} next={next && cursorText(next)} isMixed={tab === 'all'} />
      </>
    ),
  })
}

const isIn = (tab: Tab, { state }: { readonly state: DisputeState }): boolean =>
  tab === 'all' || tab === state

const countOf = (totals: readonly DisputeTotal[], tab: Tab): number =>
  totals.filter((one) => isIn(tab, one)).reduce((sum, { count }) => sum + count, 0)

/** By currency. */
function Sums({ totals }: { readonly totals: readonly DisputeTotal[] }) {
  const { disputes } = useRequest().texts
  const sums = new Map<string, bigint>()
  for (const { currency, sumMinor } of totals) sums.set(currency, (sums.get(currency) ?? 0n) + sumMinor)
  if (sums.size === 0) return null
  return (
    <p class="dispute-sums">
      {disputes.sums}:{' '}
      {[...sums].map(([currency, minor]) => (
        <span data-sum={currency}>
          <Money minor={minor} currency={currency} />
        </span>
      ))}
    </p>
  )
}

interface ListProps {
  readonly items: readonly ListedDispute[]
  /** By the ids of their payments. */
  readonly payers: Awaited<ReturnType<typeof payersOf>>
  readonly next: string | undefined
  readonly isMixed: boolean
}

function DisputeList({ items, payers, next, isMixed }: ListProps) {
  const request = useRequest()
  const { base, texts } = request
  const { disputes } = texts
  const href = ({ disputeId }: ListedDispute) => `${base}/disputes/${encodeURIComponent(disputeId)}`
  return (
    <List
      caption={disputes.title}
      isStacked
      items={items}
      href={href}
      data={({ disputeId }) => ({ 'data-dispute': disputeId })}
      empty={{ title: disputes.empty, body: disputes.emptyBody }}
      next={next}
      columns={[
        { label: disputes.due, cell: (each) => <Deadline dispute={each} /> },
        isMixed && { label: disputes.state, cell: ({ state }) => <DisputeBadge state={state} /> },
        {
          label: disputes.amount,
          cell: (each) => (
            <a href={href(each)}>
              <Money minor={each.amountMinor} currency={each.currency} />
            </a>
          ),
          end: true,
        },
        {
          label: disputes.reason,
          cell: ({ reason }) => <bdi>{reason ? reasonText(request, reason) : '–'}</bdi>,
        },
        {
          label: disputes.provider,
          cell: ({ profileId }) => <bdi>{shortText(profileName(request, profileId), NAME_SHOWN) ?? '–'}</bdi>,
        },
        {
          label: disputes.customer,
          cell: ({ customerId, paymentId }) => (
            <CustomerLink customerId={customerId}>
              <PersonName customerId={customerId} {...payers.get(paymentId)} />
            </CustomerLink>
          ),
        },
        {
          label: disputes.payment,
          cell: ({ paymentId }) => <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>,
        },
        { label: disputes.done, cell: (each) => <bdi class="dispute-done">{doneText(request, each)}</bdi> },
      ]}
    />
  )
}
