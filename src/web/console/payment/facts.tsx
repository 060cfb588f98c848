import type { ComponentChildren } from 'preact'
import { findProfile } from '../../../merchants/app.ts'
import { expiryText } from '../../kit/format/dates.ts'
import { KeyValue, type Row } from '../../kit/html/layout.tsx'
import { MoneyText } from '../../kit/format/money.tsx'
import { DESCRIPTION_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { isPayable, paymentLink } from '../../../payments/view.ts'
import type { AppVisit } from '../frame/visit.ts'
import { CopyText } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { providerName } from '../payments/names.ts'
import type { LoadedPayment } from './load.ts'
import { customerName, methodName, orderOf } from './words.ts'

interface FactsProps {
  readonly visit: AppVisit
  readonly page: LoadedPayment
}

/** What is known about the payment, in groups. */
export function FactsCard(props: FactsProps) {
  const { facts } = props.visit.texts.payment
  return (
    <section class="card facts-card" aria-labelledby="facts">
      <h2 id="facts">{facts.title}</h2>
      <Group title={facts.money} rows={moneyRows(props)} />
      <Group title={facts.payer} rows={customerRows(props)} />
      <Group title={facts.method} rows={methodRows(props)} />
      <Group title={facts.provider} rows={providerRows(props)} />
      <Group title={facts.other} rows={otherRows(props)} />
    </section>
  )
}

type MaybeRow = Row | undefined

function Group({ title, rows }: { readonly title: string; readonly rows: readonly MaybeRow[] }) {
  if (rows.every((row) => row === undefined)) return null
  return (
    <div class="fact-group">
      <h3>{title}</h3>
      <KeyValue rows={rows} />
    </div>
  )
}

/** A row whose value is foreign text; none without a value. */
const textRow = (label: string, value: string | null | undefined): MaybeRow => {
  const shown = shortText(value ?? undefined, DESCRIPTION_SHOWN)
  return shown ? [label, <bdi>{shown}</bdi>] : undefined
}

const row = (label: string, value: ComponentChildren | undefined): MaybeRow =>
  value === undefined || value === null ? undefined : [label, value]

function moneyRows({ visit, page: { payment } }: FactsProps): MaybeRow[] {
  const { facts } = visit.texts.payment
  const { currency, capturedMinor, refundedMinor, payInfo } = payment
  const money = (minor: bigint) => <MoneyText language={visit.language} minor={minor} currency={currency} />
  const fee = payInfo?.feeMinor === undefined ? undefined : BigInt(payInfo.feeMinor)
  return [
    [facts.amount, money(payment.amountMinor)],
    [facts.captured, money(capturedMinor)],
    refundedMinor > 0n ? [facts.refunded, money(refundedMinor)] : undefined,
    fee === undefined ? undefined : [facts.fee, money(fee)],
    fee === undefined || capturedMinor === 0n ? undefined : [facts.net, money(capturedMinor - fee)],
    [facts.autoCapture, payment.autoCapture ? visit.texts.frame.yes : visit.texts.frame.no],
  ]
}

function customerRows({ visit, page: { payment, timeline } }: FactsProps): MaybeRow[] {
  const { facts, items } = visit.texts.payment
  const { customer } = orderOf(payment)
  const seen = timeline.items.filter((item) => item.kind === 'page').at(-1)
  const id = shortText(payment.customerId, NAME_SHOWN)
  const name = customerName(payment)
  return [
    [
      facts.customer,
      visit.can('CustomerRead') ? (
        <a href={`${visit.base}/customers/${encodeURIComponent(payment.customerId)}`}>
          <bdi>{id}</bdi>
        </a>
      ) : (
        <bdi>{id}</bdi>
      ),
    ],
    name === id ? undefined : textRow(facts.name, name),
    textRow(facts.email, customer?.email ?? payment.payInfo?.payer?.email),
    textRow(facts.payerIp, payment.payInfo?.payerIp),
    textRow(facts.country, payment.payInfo?.payer?.country ?? seen?.country),
    textRow(facts.device, seen && items.devices[seen.device]),
  ]
}

function methodRows({ visit, page: { payment } }: FactsProps): MaybeRow[] {
  const { facts, checks: names } = visit.texts.payment
  const { card, checks = {} } = payment.payInfo ?? {}
  const { expiryMonth, expiryYear } = card ?? {}
  const results = Object.entries(checks).map(([name, result]) => `${names[name]} ${names[result] ?? result}`)
  return [
    textRow(facts.method, methodName(visit.texts, payment)),
    textRow(facts.cardKind, [card?.type, card?.country].filter(Boolean).join(' · ')),
    expiryMonth && expiryYear ? row(facts.expiry, expiryText(expiryMonth, expiryYear)) : undefined,
    payment.autoPayment === 'None' ? undefined : row(facts.autoPayment, payment.autoPayment),
    results.length === 0
      ? undefined
      : row(
          facts.checks,
          results.map((result) => <div>{result}</div>),
        ),
  ]
}

const HANDLES = ['payment', 'authorisation', 'capture'] as const

function providerRows({ visit, page: { payment, atProvider } }: FactsProps): MaybeRow[] {
  const { facts } = visit.texts.payment
  const profile = payment.profileId === null ? undefined : findProfile(visit.app, payment.profileId)
  const ids = HANDLES.map((name): MaybeRow => {
    const id = payment.handles?.[name]
    return id ? [facts.ids[name], <CopyText visit={visit} text={id} label={facts.ids[name]} />] : undefined
  })
  const shown = profile && [facts.profile, <bdi>{shortText(profile.name, NAME_SHOWN)}</bdi>]
  return [
    textRow(facts.provider, profile && providerName(visit, profile.provider)),
    shown as MaybeRow,
    ...ids,
    atProvider.orderUrl
      ? [
          facts.search(atProvider.orderField ?? '', atProvider.orderValue ?? ''),
          <a href={atProvider.orderUrl} rel="noreferrer" target="_blank">
            {facts.dashboard} ↗
          </a>,
        ]
      : undefined,
    payment.authorisedUntil
      ? [facts.authorisedUntil, <Time visit={visit} time={payment.authorisedUntil} />]
      : undefined,
  ]
}

function otherRows({ visit, page: { payment } }: FactsProps): MaybeRow[] {
  const { ctx, app, texts } = visit
  const { facts } = texts.payment
  const { expirationTime, details } = payment
  const link = isPayable(ctx, app, payment) ? paymentLink(ctx, payment) : undefined
  return [
    [facts.created, <Time visit={visit} time={payment.createdTime} style="second" />],
    expirationTime ? [facts.expires, <Time visit={visit} time={expirationTime} />] : undefined,
    link ? [facts.link, <CopyText visit={visit} text={link} label={facts.link} />] : undefined,
    [facts.flow, texts.payments.flows[payment.flow]],
    [facts.fraud, texts.payments.fraud[payment.fraudStatus]],
    textRow(facts.description, details.description),
    textRow(facts.webhookUrl, payment.webhookUrl?.replace(/[?#].*$/s, '')),
  ]
}
