import type { ComponentChildren } from 'preact'
import { findProfile } from '../../../merchants/app.ts'
import { expiryText } from '../../kit/format/dates.ts'
import { KeyValue, type Row } from '../../kit/html/layout.tsx'
import { MoneyText } from '../../kit/format/money.tsx'
import { DESCRIPTION_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { isPayable, paymentLink } from '../../../payments/view.ts'
import { CopyText } from '../../kit/html/text.tsx'
import { Time } from '../../kit/format/time.tsx'
import type { LoadedPayment } from './load.ts'
import { customerName, orderOf } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { paidMethodName, providerName } from '../../kit/format/names.ts'

interface FactsProps {
  readonly page: LoadedPayment
}

/** What is known about the payment, in groups. */
export function FactsCard({ page }: FactsProps) {
  const request = useRequest()
  const { facts } = request.texts.payment
  return (
    <section class="card facts-card" aria-labelledby="facts">
      <h2 id="facts">{facts.title}</h2>
      <Group title={facts.money} rows={moneyRows(request, page)} />
      <Group title={facts.payer} rows={customerRows(request, page)} />
      <Group title={facts.method} rows={methodRows(request, page)} />
      <Group title={facts.provider} rows={providerRows(request, page)} />
      <Group title={facts.other} rows={otherRows(request, page)} />
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

function moneyRows(request: AppRequest, { payment }: LoadedPayment): MaybeRow[] {
  const { facts } = request.texts.payment
  const { currency, capturedMinor, refundedMinor, payInfo } = payment
  const money = (minor: bigint) => <MoneyText language={request.language} minor={minor} currency={currency} />
  const fee = payInfo?.feeMinor === undefined ? undefined : BigInt(payInfo.feeMinor)
  return [
    [facts.amount, money(payment.amountMinor)],
    [facts.captured, money(capturedMinor)],
    refundedMinor > 0n ? [facts.refunded, money(refundedMinor)] : undefined,
    fee === undefined ? undefined : [facts.fee, money(fee)],
    fee === undefined || capturedMinor === 0n ? undefined : [facts.net, money(capturedMinor - fee)],
    [facts.autoCapture, payment.autoCapture ? request.texts.frame.yes : request.texts.frame.no],
  ]
}

function customerRows(request: AppRequest, { payment, timeline }: LoadedPayment): MaybeRow[] {
  const { facts, items } = request.texts.payment
  const { customer } = orderOf(payment)
  const seen = timeline.items.filter((item) => item.kind === 'page').at(-1)
  const id = shortText(payment.customerId, NAME_SHOWN)
  const name = customerName(payment)
  return [
    [
      facts.customer,
      request.can('CustomerRead') ? (
        <a href={`${request.base}/customers/${encodeURIComponent(payment.customerId)}`}>
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

function methodRows(request: AppRequest, { payment }: LoadedPayment): MaybeRow[] {
  const { facts, checks: names } = request.texts.payment
  const { card, checks = {} } = payment.payInfo ?? {}
  const { expiryMonth, expiryYear } = card ?? {}
  const results = Object.entries(checks).map(([name, result]) => `${names[name]} ${names[result] ?? result}`)
  return [
    textRow(facts.method, paidMethodName(request, payment)),
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

function providerRows(request: AppRequest, { payment, atProvider }: LoadedPayment): MaybeRow[] {
  const { facts } = request.texts.payment
  const profile = payment.profileId === null ? undefined : findProfile(request.app, payment.profileId)
  const ids = HANDLES.map((name): MaybeRow => {
    const id = payment.handles?.[name]
    return id ? [facts.ids[name], <CopyText text={id} label={facts.ids[name]} />] : undefined
  })
  const shown = profile && [facts.profile, <bdi>{shortText(profile.name, NAME_SHOWN)}</bdi>]
  return [
    textRow(facts.provider, profile && providerName(request, profile.provider)),
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
    payment.authorisedUntil ? [facts.authorisedUntil, <Time time={payment.authorisedUntil} />] : undefined,
  ]
}

function otherRows(request: AppRequest, { payment }: LoadedPayment): MaybeRow[] {
  const { ctx, app, texts } = request
  const { facts } = texts.payment
  const { expirationTime, details } = payment
  const link = isPayable(ctx, app, payment) ? paymentLink(ctx, payment) : undefined
  return [
    [facts.created, <Time time={payment.createdTime} style="second" />],
    expirationTime ? [facts.expires, <Time time={expirationTime} />] : undefined,
    link ? [facts.link, <CopyText text={link} label={facts.link} />] : undefined,
    [facts.flow, texts.payments.flows[payment.flow]],
    [facts.fraud, texts.payments.fraud[payment.fraudStatus]],
    textRow(facts.description, details.description),
    textRow(facts.webhookUrl, payment.webhookUrl?.replace(/[?#].*$/s, '')),
  ]
}
