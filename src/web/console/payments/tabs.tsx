import type { State } from '../../../payments/machine.ts'
import { countInStates, type PaymentTotals } from '../../../payments/search/search.ts'
import { Money } from '../../kit/format/money.tsx'
import { numberText } from '../../kit/format/numbers.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Tabs } from '../../kit/html/text.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { FILTER_NAMES, type ListAddress, listPath } from './address.ts'

/** The tabs above the list, each a filter by state, and the states of those that are counted. */
const TABS = {
  all: { state: undefined, counted: [] },
  succeeded: { state: 'paid', counted: [] },
  refunded: { state: 'Refunded,part-refunded', counted: [] },
  disputed: { state: 'Disputed', counted: ['Disputed'] },
  failed: { state: 'Failed,declined', counted: [] },
  uncaptured: { state: 'Authorized', counted: ['Authorized'] },
  held: { state: 'held', counted: ['ProviderAuthorizedHold', 'CapturedHold'] },
} as const satisfies Record<string, { state: string | undefined; counted: readonly State[] }>

type Tab = keyof typeof TABS
const NAMES = Object.keys(TABS) as Tab[]

export type TabCounts = ReadonlyMap<string, number>

/** Of the whole app; with another filter they would not be the counts of what the tabs show. */
export async function tabCountsOf({ ctx, app }: AppRequest, { filter }: ListAddress): Promise<TabCounts> {
  if (FILTER_NAMES.some((name) => name !== 'state' && filter[name])) return new Map()
  const states = NAMES.flatMap((name): readonly State[] => TABS[name].counted)
  return countInStates(ctx, app, states)
}

interface QuickTabsProps {
  readonly address: ListAddress
  readonly counts: TabCounts
}

const MOST_SHOWN = 99

/** Filters that one click reaches. They keep the rest of the filter. */
export function QuickTabs({ address, counts }: QuickTabsProps) {
  const { texts, base } = useRequest()
  const { tabs: names, tabsLabel } = texts.payments
  const tabs = NAMES.map((name) => {
    const { state, counted } = TABS[name]
    const count = counted.reduce((sum: number, each) => sum + (counts.get(each) ?? 0), 0)
    return {
      label: (
        <>
          {names[name]}
          {count > 0 && <span class="tab-count">{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</span>}
        </>
      ),
      href: listPath(base, { ...address, filter: { ...address.filter, state } }),
      isCurrent: address.filter.state === state,
    }
  })
  return <Tabs tabs={tabs} label={tabsLabel} />
}

/** How many payments the filter matches, and their sum in each currency. */
export function Totals({ totals }: { readonly totals: PaymentTotals }) {
  const request = useRequest()
  const { payments } = request.texts
  const { count, currencies, isPartial } = totals
  const values = { count, number: numberText(request, count) }
  return (
    <p class="list-totals">
      <span class="strong">{isPartial ? payments.atLeast(values) : payments.counted(values)}</span>
      {!isPartial &&
        currencies.map(({ currency, amountMinor }) => <Money minor={amountMinor} currency={currency} />)}
    </p>
  )
}
