import { Readable } from 'node:stream'
import { decimalText } from '../../../base/money.ts'
import { csvLine } from '../../../http/content/csv.ts'
import { readId } from '../../../http/wire.ts'
import { auditApp } from '../../../merchants/app-audit.ts'
import { LINE_KINDS } from '../../../providers/settlement.ts'
import { differenceOf } from '../../../settlements/adds-up.ts'
import { getPayout } from '../../../settlements/commands.ts'
import { linePage } from '../../../settlements/pages.ts'
import { cursorText } from '../../../settlements/view.ts'
import { Money, moneyInText } from '../../kit/format/money.tsx'
import { profileName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue, Notice } from '../../kit/html/layout.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { Filter, List } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { placeIn, StatePill } from './payouts.tsx'
import { renderBelow } from './tabs.tsx'

const PAGE_SIZE = 50

type Found = Awaited<ReturnType<typeof getPayout>>
type Sum = Found['sums'][number]
type Lines = Awaited<ReturnType<typeof linePage>>

/** One payout: whether it adds up, its sums by kind, and its lines. */
export async function showPayout(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { payouts } = texts
  const found = await getPayout(ctx, app, readId(call.params.payoutId ?? ''))
  const { payout, sums } = found
  const lines = await linePage(ctx, app, {
    payoutId: payout.payoutId,
    kind: LINE_KINDS.find((kind) => kind === call.query.kind),
    before: placeIn(call.query),
    limit: PAGE_SIZE,
  })
  const { amountMinor, currency } = payout
  const title = payouts.exceptions.payout({ id: String(payout.payoutId) })
  return renderBelow(request, {
    title,
    heading: (
      <span class="payment-head">
        {amountMinor === null || currency === null ? (
          title
        ) : (
          <Money minor={amountMinor} currency={currency} />
        )}{' '}
        <StatePill state={payout.state} />
      </span>
    ),
    actions: sums.length > 0 && (
      <GetButton href={`${base}/payouts/${payout.payoutId}/lines`} shortcut="e">
        {payouts.download}
      </GetButton>
    ),
    children: (
      <>
        <Verdict found={found} />
        <Facts found={found} />
        <Sums sums={sums} />
        <LineList lines={lines} kinds={[...new Set(sums.map(({ kind }) => kind))]} />
      </>
    ),
  })
}

/** "Adds up", or the difference to the cent. */
function Verdict({ found: { payout, sums } }: { readonly found: Found }) {
  const { texts, language, base } = useRequest()
  const { payouts } = texts
  const difference = differenceOf(payout, sums)
  const parts = sums.filter(({ kind }) => kind !== 'payout')
  const { amountMinor, currency } = payout
  if (difference === null || amountMinor === null || currency === null) {
    const title =
      amountMinor === null ? payouts.noAmount : parts.length === 0 ? payouts.noLines : payouts.noNet
    return <Notice kind="info" title={title} />
  }
  const text = (minor: bigint) => moneyInText(language, minor, currency)
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  if (difference === 0n)
    return (
      <Notice kind="ok" title={payouts.addsUpLong}>
        <p>{payouts.addsUpBody({ count, amount: text(amountMinor) })}</p>
      </Notice>
    )
  const isLess = difference < 0n
  const amount = { difference: text(isLess ? -difference : difference) }
  return (
    <Notice kind="bad" title={isLess ? payouts.lessLong(amount) : payouts.moreLong(amount)}>
      <p>{payouts.differsBody({ count, sum: text(amountMinor + difference), amount: text(amountMinor) })}</p>
      <a href={`${base}/payouts/exceptions?kind=payout`}>{payouts.seeExceptions}</a>
    </Notice>
  )
}

function Facts({ found: { payout } }: { readonly found: Found }) {
  const request = useRequest()
  const { payouts } = request.texts
  const { profileId, providerPayoutId, bankReference, arrivalTime, time } = payout
  return (
    <Card title={payouts.facts}>
      <KeyValue
        rows={[
          [
            payouts.provider,
            <a href={`${request.base}/providers/${profileId}`}>
              <bdi>{shortText(profileName(request, profileId), NAME_SHOWN) ?? profileId}</bdi>
            </a>,
          ],
          [payouts.payoutId, <CopyText text={providerPayoutId} label={payouts.payoutId} />],
          !!bankReference && [
            payouts.bankReference,
            <CopyText text={bankReference} label={payouts.bankReference} />,
          ],
          [payouts.date, <Time time={time} />],
          !!arrivalTime && [payouts.arrival, <Time time={arrivalTime} style="day" />],
        ]}
      />
    </Card>
  )
}

interface AmountProps {
  readonly minor: bigint | null
  readonly currency: string | null
}

const Amount = ({ minor, currency }: AmountProps) =>
  minor === null || currency === null ? <>–</> : <Money minor={minor} currency={currency} />

const amountColumns = (payouts: { gross: string; fee: string; net: string }) => [
  {
    label: payouts.gross,
    cell: ({ grossMinor, currency }: Pick<Sum, 'grossMinor' | 'currency'>) => (
      <Amount minor={grossMinor} currency={currency} />
    ),
    end: true,
  },
  {
    label: payouts.fee,
    cell: ({ feeMinor, settlementCurrency }: Pick<Sum, 'feeMinor' | 'settlementCurrency'>) => (
      <Amount minor={feeMinor} currency={settlementCurrency} />
    ),
    end: true,
  },
  {
    label: payouts.net,
    cell: ({ netMinor, settlementCurrency }: Pick<Sum, 'netMinor' | 'settlementCurrency'>) => (
      <Amount minor={netMinor} currency={settlementCurrency} />
    ),
    end: true,
  },
]

function Sums({ sums }: { readonly sums: readonly Sum[] }) {
  const { payouts, frame } = useRequest().texts
  return (
    <Card title={payouts.sums}>
      {sums.length === 0 ? (
        <p class="muted">{frame.none}</p>
      ) : (
        <List
          isStacked
          caption={payouts.sums}
          items={sums.toSorted((a, b) => LINE_KINDS.indexOf(a.kind) - LINE_KINDS.indexOf(b.kind))}
          columns={[
            { label: payouts.kind, cell: ({ kind }) => payouts.groups[kind] },
            { label: payouts.count, cell: ({ count }) => count, end: true },
            ...amountColumns(payouts),
          ]}
        />
      )}
    </Card>
  )
}

interface LineListProps {
  readonly lines: Lines
  readonly kinds: readonly Sum['kind'][]
}

function LineList({ lines: { items, next }, kinds }: LineListProps) {
  const { base, call, texts } = useRequest()
  const { payouts } = texts
  return (
    <div class="stack">
      <h2>{payouts.lines}</h2>
      {kinds.length > 1 && (
        <Filter
          name="lines"
          action={`${base}/payouts/${call.params.payoutId}`}
          fields={[
            {
              name: 'kind',
              label: payouts.kind,
              options: kinds.map((value) => ({ value, label: payouts.groups[value] })),
              any: payouts.anyKind,
            },
          ]}
          button={payouts.filter}
          clear={call.query.kind ? payouts.clear : undefined}
        />
      )}
      <List
        isStacked
        id="lines-table"
        caption={payouts.lines}
        items={items}
        columns={[
          { label: payouts.date, isTime: true, cell: ({ time }) => <Time time={time} /> },
          { label: payouts.kind, cell: ({ kind }) => payouts.kinds[kind] },
          { label: payouts.payment, cell: (line) => <PaymentOf line={line} /> },
          ...amountColumns(payouts),
          {
            label: payouts.lineId,
            cell: ({ providerLineId }) => <code>{shortText(providerLineId, NAME_SHOWN)}</code>,
          },
        ]}
        empty={{ title: kinds.length > 0 ? payouts.noLinesMatch : payouts.noLines }}
        next={next && cursorText(next)}
      />
    </div>
  )
}

/** A suggestion is named as such: it counts only when it is accepted. */
function PaymentOf({ line: { paymentId, referenceId, match } }: { readonly line: Lines['items'][number] }) {
  const { base, texts, can } = useRequest()
  if (paymentId === null) return <>–</>
  const name = shortText(referenceId ?? undefined, NAME_SHOWN) ?? String(paymentId)
  const label = match === 'suggested' ? texts.payouts.suggested({ id: name }) : name
  if (!can('PaymentRead')) return <bdi>{label}</bdi>
  return (
    <a href={`${base}/payments/${paymentId}`}>
      <bdi>{label}</bdi>
    </a>
  )
}

/** Lines of one read. */
const DOWNLOAD_PAGE = 1_000

/** The lines of the payout as CSV. The download is recorded before its first row is sent. */
export async function downloadLines(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const { payout } = await getPayout(ctx, app, readId(call.params.payoutId ?? ''))
  const target = `payout:${payout.payoutId}`
  await auditApp(ctx, ctx.db, app, { action: 'settlement_lines.exported', target })
  return {
    file: Readable.from(csvOf(request, payout.payoutId)),
    type: 'text/csv; charset=utf-8',
    headers: {
      'content-disposition': `attachment; filename="payout-${payout.payoutId}.csv"`,
      'cache-control': 'no-store',
    },
  }
}

async function* csvOf({ ctx, app }: AppRequest, payoutId: number): AsyncGenerator<string> {
  yield csvLine([
    ...['time', 'kind', 'payment id', 'reference', 'gross', 'currency', 'fee', 'net', 'settlement currency'],
    ...['line id', 'match'],
  ])
  let before: Lines['next']
  do {
    const { items, next } = await linePage(ctx, app, { payoutId, before, limit: DOWNLOAD_PAGE })
    if (items.length > 0) yield items.map(rowOf).join('')
    before = next
  } while (before)
}

function rowOf(line: Lines['items'][number]): string {
  const { settlementCurrency } = line
  const settled = (minor: bigint | null) =>
    minor === null || settlementCurrency === null ? '' : decimalText(minor, settlementCurrency)
  return csvLine([
    ...[line.time.toISOString(), line.kind, line.paymentId ?? '', line.referenceId ?? ''],
    ...[decimalText(line.grossMinor, line.currency), line.currency, settled(line.feeMinor)],
    ...[settled(line.netMinor), settlementCurrency ?? '', line.providerLineId, line.match],
  ])
}
