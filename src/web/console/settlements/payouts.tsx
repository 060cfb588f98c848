import { Readable } from 'node:stream'
import { readId } from '../../../http/wire.ts'
import { noteExport } from '../../../ledger/commands.ts'
import { settlementsText } from '../../../ledger/export.ts'
import { FIRST_DAY, LAST_DAY } from '../../../ledger/schema.ts'
import { type ListedPayout, payoutPage } from '../../../settlements/pages.ts'
import { cursorText, readCursor } from '../../../settlements/view.ts'
import { Money, moneyInText } from '../../kit/format/money.tsx'
import { profileName, shortName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { Filter, List } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderTab } from './tabs.tsx'

const PAGE_SIZE = 50
const PAYOUT_STATES = ['pending', 'paid', 'failed'] as const

/** The cursor of the address; undefined for none and for one that is not ours. */
export const placeIn = ({ cursor = '' }: Readonly<Record<string, string>>) =>
  /^\d{1,15}-\d{1,15}$/.test(cursor) ? readCursor(cursor) : undefined

export async function showPayouts(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base, texts } = request
  const { payouts } = texts
  const { state, provider = '' } = call.query
  const isFiltered = Boolean(state || provider)
  const { items, next } = await payoutPage(ctx, app, {
    state: PAYOUT_STATES.find((one) => one === state),
    profileId: provider === '' ? undefined : (readId(provider) ?? -1),
    before: placeIn(call.query),
    limit: PAGE_SIZE,
  })
  return renderTab(request, {
    tab: 'payouts',
    actions: items.length > 0 && (
      <GetButton href={`${base}/payouts/export`} shortcut="e">
        {payouts.exportCsv}
      </GetButton>
    ),
    children: (
      <>
        <p class="muted">{payouts.intro}</p>
        {(items.length > 0 || isFiltered) && <PayoutFilter isFiltered={isFiltered} />}
        <PayoutList items={items} next={next && cursorText(next)} isFiltered={isFiltered} />
      </>
    ),
  })
}

function PayoutFilter({ isFiltered }: { readonly isFiltered: boolean }) {
  const { app, base, texts } = useRequest()
  const { payouts } = texts
  const states = PAYOUT_STATES.map((value) => ({ value, label: payouts.states[value] }))
  const profiles = app.profiles.map((profile) => ({
    value: String(profile.profileId),
    label: shortName(profile),
  }))
  return (
    <Filter
      name="payouts"
      action={`${base}/payouts`}
      fields={[
        { name: 'provider', label: payouts.provider, options: profiles, any: payouts.anyProvider },
        { name: 'state', label: payouts.state, options: states, any: payouts.anyState },
      ]}
      button={payouts.filter}
      clear={isFiltered ? payouts.clear : undefined}
    />
  )
}

interface PayoutListProps {
  readonly items: readonly ListedPayout[]
  readonly next: string | undefined
  readonly isFiltered: boolean
}

function PayoutList({ items, next, isFiltered }: PayoutListProps) {
  const request = useRequest()
  const { base, texts } = request
  const { payouts } = texts
  const begin = <a href={`${base}/payouts/sources`}>{payouts.begin}</a>
  return (
    <List
      isStacked
      id="payouts-table"
      caption={payouts.title}
      items={items}
      href={({ payoutId }) => `${base}/payouts/${payoutId}`}
      columns={[
        {
          label: payouts.date,
          cell: ({ payoutId, time }) => (
            <a href={`${base}/payouts/${payoutId}`}>
              <Time time={time} style="day" />
            </a>
          ),
        },
        {
          label: payouts.provider,
          cell: ({ profileId }) => <bdi>{shortText(profileName(request, profileId), NAME_SHOWN) ?? '–'}</bdi>,
        },
        {
          label: payouts.amount,
          cell: ({ amountMinor, currency }) =>
            amountMinor === null || currency === null ? (
              '–'
            ) : (
              <Money minor={amountMinor} currency={currency} />
            ),
          end: true,
        },
        { label: payouts.state, cell: ({ state }) => <StatePill state={state} /> },
        { label: payouts.check, cell: (payout) => <Check payout={payout} /> },
        {
          label: payouts.payoutId,
          cell: ({ providerPayoutId }) => <code>{shortText(providerPayoutId, NAME_SHOWN)}</code>,
        },
      ]}
      empty={
        isFiltered
          ? { title: payouts.emptyFiltered }
          : { title: payouts.empty, body: payouts.emptyBody, more: begin }
      }
      next={next}
    />
  )
}

const STATE_TONES = { pending: 'blue', paid: 'green outline', failed: 'red' } as const

export const StatePill = ({ state }: Pick<ListedPayout, 'state'>) => (
  <span class={`pill ${STATE_TONES[state]}`} data-state={state}>
    {useRequest().texts.payouts.states[state]}
  </span>
)

function Check({ payout: { difference, currency } }: { readonly payout: ListedPayout }) {
  const { texts, language } = useRequest()
  const { payouts } = texts
  if (difference === null || currency === null) return <span class="muted">{payouts.notCompared}</span>
  if (difference === 0n) return <span class="pill green">{payouts.addsUp}</span>
  const amount = moneyInText(language, difference < 0n ? -difference : difference, currency)
  return <span class="pill red">{difference < 0n ? payouts.less({ amount }) : payouts.more({ amount })}</span>
}

/** Every settled line as one CSV, oldest first. The export is recorded before its first row is sent. */
export async function exportLines(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, now } = request
  const day = now.toISOString().slice(0, 10)
  await noteExport(ctx, app, { what: 'settlements', format: 'csv', from: FIRST_DAY, to: LAST_DAY })
  const all = { from: new Date(FIRST_DAY), to: new Date(LAST_DAY) }
  return {
    file: Readable.from(settlementsText(ctx, app, all)),
    type: 'text/csv; charset=utf-8',
    headers: {
      'content-disposition': `attachment; filename="settlements-${day}.csv"`,
      'cache-control': 'no-store',
    },
  }
}
