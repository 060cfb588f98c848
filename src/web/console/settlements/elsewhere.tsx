import type { Profile } from '../../../merchants/app.ts'
import type { Payment } from '../../../payments/payment.ts'
import { openCounts, type paymentSettlement } from '../../../settlements/pages.ts'
import { Money } from '../../kit/format/money.tsx'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { useRequest } from '../../kit/screen.tsx'

/** What other screens show about settlements: the payment, the provider and the overview. */

const TONES = {
  none: 'grey',
  unsettled: 'grey',
  settled: 'green outline',
  'paid-out': 'green',
  difference: 'red',
} as const

interface SettlementCardProps {
  readonly payment: Payment
  readonly settlement: Awaited<ReturnType<typeof paymentSettlement>>
}

/** Settled or not, in which payout, what it cost, and what does not agree. */
export function SettlementCard({ payment: { currency }, settlement }: SettlementCardProps) {
  const { base, texts } = useRequest()
  if (!settlement) return null
  const { ofPayment, exceptions: words } = texts.payouts
  const { found, state = 'none', fees, exceptions } = settlement
  const payoutId = found?.payoutId ?? null
  const difference = found?.differenceMinor ?? 0n
  const payout = payoutId !== null && (
    <a href={`${base}/payouts/${payoutId}`}>{words.payout({ id: String(payoutId) })}</a>
  )
  const open = exceptions.map(({ kind, exceptionId }) => (
    <div>
      <a
        href={`${base}/payouts/exceptions?kind=${kind}`}
        title={words.meanings[kind]}
        data-exception={exceptionId}
      >
        {words.kinds[kind]}
      </a>
    </div>
  ))
  return (
    <Card title={ofPayment.title} id="settlement">
      <KeyValue
        rows={[
          [
            ofPayment.state,
            <span class={`pill ${TONES[state]}`} data-settled={state}>
              {ofPayment.states[state]}
            </span>,
          ],
          !!found?.paidOutTime &&
            state !== 'unsettled' && [ofPayment.paidOut, <Time time={found.paidOutTime} style="day" />],
          !!payout && [ofPayment.payout, payout],
          difference !== 0n && [ofPayment.difference, <Money minor={difference} currency={currency} />],
          fees.size > 0 && [
            ofPayment.fees,
            [...fees].map(([of, minor]) => (
              <div>
                <Money minor={minor} currency={of} />
              </div>
            )),
          ],
          open.length > 0 && [ofPayment.open, open],
        ]}
      />
    </Card>
  )
}

/** Offers the search `settled:no` with the filter of payments. */
export function SettledChips({ q = '' }: { readonly q?: string | undefined }) {
  const { app, base, texts } = useRequest()
  const { ofPayment } = texts.payouts
  if (!app.hasSettlements) return null
  const others = q.replace(/(^|\s)-?settled:\S*/g, ' ').trim()
  return (
    <ul class="chips" aria-label={ofPayment.filter}>
      {(['no', 'yes'] as const).map((value) => (
        <li>
          <a
            class="chip"
            href={`${base}/payments?${new URLSearchParams({ q: `${others} settled:${value}`.trim() })}`}
          >
            {ofPayment[value]}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** On the page of a provider: the way to begin, and later to its source. */
export function ProfileSettlements({ profile }: { readonly profile: Profile }) {
  const { app, base, texts, can } = useRequest()
  const { ofProfile } = texts.payouts
  if (!can('SettlementRead')) return null
  return (
    <Card title={ofProfile.title}>
      {!app.hasSettlements && <p>{ofProfile.none}</p>}
      <div class="buttons">
        <GetButton href={`${base}/payouts/sources`}>
          {app.hasSettlements ? ofProfile.show : ofProfile.begin}
        </GetButton>
        <a href={`${base}/payouts/reports?profile=${profile.profileId}`}>{texts.payouts.reports.upload}</a>
      </div>
    </Card>
  )
}

/** Open exceptions by kind: the number, and the list of exactly these. */
export async function settlementAttention(request: AppRequest) {
  const { ctx, app, texts } = request
  if (!request.can('SettlementRead')) return []
  return (await openCounts(ctx, app)).map(({ kind, count }) => ({
    count,
    page: `payouts/exceptions?kind=${kind}`,
    text: texts.payouts.attention[kind],
  }))
}
