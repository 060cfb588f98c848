import { findProfile } from '../../../merchants/app.ts'
import type { Payment } from '../../../payments/payment.ts'
import { isPayable, paymentLink } from '../../../payments/view.ts'
import { expiryText } from '../../kit/format/dates.ts'
import { Money } from '../../kit/format/money.tsx'
import { paidMethodName, providerName } from '../../kit/format/names.ts'
import { DESCRIPTION_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { KeyValue, type KeyValueProps } from '../../kit/html/layout.tsx'
import { CopyText, CustomerLink } from '../../kit/html/text.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'
import type { LoadedPayment } from './load.ts'
import { customerName, orderOf } from './words.ts'

/** What is known about the payment, in groups. */
export function FactsCard({ page }: { readonly page: LoadedPayment }) {
  const request = useRequest()
  const { facts } = request.texts.payment
  const groups = [
    { title: facts.money, rows: moneyRows(request, page) },
    { title: facts.payer, rows: customerRows(request, page) },
    { title: facts.method, rows: methodRows(request, page) },
    { title: facts.provider, rows: providerRows(request, page) },
    { title: facts.other, rows: otherRows(request, page) },
  ]
  return (
    <section class="card facts-card" aria-labelledby="facts">
      <h2 id="facts">{facts.title}</h2>
      {groups.map(
        ({ title, rows }) =>
          rows.some(Boolean) && (
            <div class="fact-group">
              <h3>{title}</h3>
              <KeyValue rows={rows} />
            </div>
          ),
      )}
    </section>
  )
}

type Rows = KeyValueProps['rows']

/** A row whose value is foreign text; none without a value. */
const textRow = (label: string, value: string | null | undefined): Rows[number] => {
  const shown = shortText(value ?? undefined, DESCRIPTION_SHOWN)
  return shown !== undefined && [label, <bdi>{shown}</bdi>]
}

/** What open disputes may take: at most what was captured and not given back. A lost one is refunded. */
function disputedMinor({ payInfo, capturedMinor, refundedMinor }: Payment): bigint {
  const open = (payInfo?.disputes ?? []).filter(({ state }) => state === 'open')
  const sum = open.reduce((all, { amountMinor }) => all + BigInt(amountMinor ?? capturedMinor), 0n)
  const left = capturedMinor - refundedMinor
  return sum < left ? sum : left
}

function moneyRows({ texts }: AppRequest, { payment }: LoadedPayment): Rows {
  const { facts } = texts.payment
  const { currency, capturedMinor, refundedMinor, payInfo } = payment
  const money = (minor: bigint) => <Money minor={minor} currency={currency} />
  const fee = payInfo?.feeMinor === undefined ? undefined : BigInt(payInfo.feeMinor)
  const disputed = disputedMinor(payment)
  const net = capturedMinor - refundedMinor - (fee ?? 0n) - disputed
  return [
    [facts.amount, money(payment.amountMinor)],
    [facts.captured, money(capturedMinor)],
    refundedMinor > 0n && [facts.refunded, money(refundedMinor)],
    fee !== undefined && [facts.fee, money(fee)],
    disputed > 0n && [facts.disputed, money(disputed)],
    (fee !== undefined || disputed > 0n) && capturedMinor > 0n && [facts.net, money(net)],
    [facts.autoCapture, payment.autoCapture ? texts.frame.yes : texts.frame.no],
  ]
}

function customerRows({ texts }: AppRequest, { payment, timeline }: LoadedPayment): Rows {
  const { facts, items } = texts.payment
  const { customerId, payInfo } = payment
  const seen = timeline.items.filter((item) => item.kind === 'page').at(-1)
  const id = shortText(customerId, NAME_SHOWN)
  const name = customerName(payment)
  const link = (
    <CustomerLink customerId={customerId}>
      <bdi>{id}</bdi>
    </CustomerLink>
  )
  return [
    [facts.customer, link],
    name !== id && textRow(facts.name, name),
    textRow(facts.email, orderOf(payment).customer?.email ?? payInfo?.payer?.email),
    textRow(facts.payerIp, payInfo?.payerIp),
    textRow(facts.country, payInfo?.payer?.country),
    textRow(facts.visitCountry, seen?.country),
    textRow(facts.device, seen && items.devices[seen.device]),
  ]
}

function methodRows(request: AppRequest, { payment }: LoadedPayment): Rows {
  const { facts, checks: names } = request.texts.payment
  const { card, checks = {} } = payment.payInfo ?? {}
  const { expiryMonth, expiryYear } = card ?? {}
  const results = Object.entries(checks).map(([name, result]) => (
    <div>{`${textNamed(names, name)} ${textNamed(names, result) ?? result}`}</div>
  ))
  return [
    textRow(facts.method, paidMethodName(request, payment)),
    textRow(facts.cardKind, [card?.type, card?.country].filter(Boolean).join(' · ')),
    !!expiryMonth && !!expiryYear && [facts.expiry, expiryText(expiryMonth, expiryYear)],
    payment.autoPayment !== 'None' && [facts.autoPayment, payment.autoPayment],
    results.length > 0 && [facts.checks, results],
    textRow(facts.threeDSecure, threeDSecureText(request, payment)),
  ]
}

function threeDSecureText({ texts }: AppRequest, { payInfo }: Payment): string | undefined {
  if (!payInfo?.threeDSecure) return undefined
  const words = texts.payment.threeDSecure
  const { requested, result, version, liabilityShift } = payInfo.threeDSecure
  const parts = [
    requested && words.requested[requested],
    result && words.results[result],
    version && words.version({ version }),
    liabilityShift !== undefined && (liabilityShift ? words.liable : words.notLiable),
  ]
  return parts.filter(Boolean).join(' · ')
}

const HANDLES = ['payment', 'authorisation', 'capture'] as const

function providerRows(request: AppRequest, { payment, atProvider }: LoadedPayment): Rows {
  const { facts } = request.texts.payment
  const { profileId, handles, authorisedUntil } = payment
  const profile = profileId === null ? undefined : findProfile(request.app, profileId)
  const dashboard = atProvider.orderUrl && (
    <a href={atProvider.orderUrl} rel="noreferrer" target="_blank">
      {facts.dashboard} ↗
    </a>
  )
  return [
    textRow(facts.provider, profile && providerName(request, profile.provider)),
    profile && [facts.profile, <bdi>{shortText(profile.name, NAME_SHOWN)}</bdi>],
    ...HANDLES.map((name): Rows[number] => {
      const id = handles?.[name]
      return !!id && [facts.ids[name], <CopyText text={id} label={facts.ids[name]} />]
    }),
    !!dashboard && [
      facts.search({ field: atProvider.orderField ?? '', value: atProvider.orderValue ?? '' }),
      dashboard,
    ],
    !!authorisedUntil && [facts.authorisedUntil, <Time time={authorisedUntil} />],
  ]
}

function otherRows({ ctx, app, texts }: AppRequest, { payment }: LoadedPayment): Rows {
  const { facts } = texts.payment
  const { expirationTime, details } = payment
  const link = isPayable(ctx, app, payment) && paymentLink(ctx, payment)
  return [
    [facts.created, <Time time={payment.createdTime} style="second" />],
    !!expirationTime && [facts.expires, <Time time={expirationTime} />],
    !!link && [facts.link, <CopyText text={link} label={facts.link} />],
    [facts.flow, texts.payments.flows[payment.flow]],
    [facts.fraud, texts.payments.fraud[payment.fraudStatus]],
    textRow(facts.description, details.description),
    textRow(facts.webhookUrl, payment.webhookUrl?.replace(/[?#].*$/s, '')),
  ]
}
