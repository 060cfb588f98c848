import type { ApiError } from '../../../base/errors.ts'
import { readId } from '../../../http/wire.ts'
import { createLink, getLink, listLinks, paymentsOfLink, withdrawLink } from '../../../links/commands.ts'
import { hasFixedAmount, type LinkState, type LinkWithTotals, stateOf } from '../../../links/link.ts'
import { linkUrl } from '../../../links/view.ts'
import { appNow } from '../../../merchants/app.ts'
import type { Payment } from '../../../payments/payment.ts'
import { Money, moneyText } from '../../kit/format/money.tsx'
import { DESCRIPTION_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { LinkButton } from '../../kit/html/controls.tsx'
import { GetButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { Qr } from '../../kit/html/qr.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import { refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { listOf } from '../overview/range.ts'
import { postedLink, ReusableForm } from './reusable-form.tsx'
import { linkTabs } from './tabs.ts'

/** Links for many payers. */

const PAGE_SIZE = 30
const ONE = '/links/reusable/{linkId}'

export const reusableScreens = (): ScreenRoute[] => [
  app('GET', '/links/reusable', 'PaymentWrite', list),
  app('GET', '/links/reusable/new', 'PaymentWrite', (request) => showForm(request)),
  app('POST', '/links/reusable/new', 'PaymentWrite', create),
  app('GET', ONE, 'PaymentWrite', show),
  ...question(`${ONE}/withdraw`, 'PaymentWrite', {
    kind: 'danger',
    subject: linkOf,
    crumbs: (request) => crumbsOf(request),
    isPossible: ({ withdrawnTime }) => withdrawnTime === null,
    texts: ({ reusable }) => ({
      title: reusable.withdrawTitle,
      body: reusable.withdrawBody,
      button: reusable.withdraw,
    }),
    run: async ({ ctx, app: merchant }, link) => {
      await withdrawLink(ctx, merchant, link)
      return 'withdrawn'
    },
  }),
]

const linkOf = ({ ctx, app: merchant, call }: AppRequest): Promise<LinkWithTotals> =>
  getLink(ctx, merchant, call.params.linkId ?? '')

const crumbsOf = ({ texts, base }: AppRequest) => [
  { label: texts.links.title, href: `${base}/links` },
  { label: texts.reusable.many, href: `${base}/links/reusable` },
]

async function list(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app: merchant, base, call, texts } = request
  const { items, hasNext } = await listLinks(ctx, merchant, { before: call.query.cursor, limit: PAGE_SIZE })
  const newLink = (
    <GetButton href={`${base}/links/reusable/new`} kind="primary">
      {texts.reusable.create}
    </GetButton>
  )
  return renderScreen(request, {
    name: 'links',
    title: texts.links.title,
    tabs: linkTabs(request, 'many'),
    actions: newLink,
    children: (
      <>
        <p class="muted">{texts.reusable.intro}</p>
        <LinkList links={items} next={hasNext ? items.at(-1)?.linkId : undefined} />
      </>
    ),
  })
}

interface LinkListProps {
  readonly links: readonly LinkWithTotals[]
  readonly next: string | undefined
}

function LinkList({ links, next }: LinkListProps) {
  const { base, texts } = useRequest()
  const { reusable } = texts
  const pathOf = ({ linkId }: LinkWithTotals) => `${base}/links/reusable/${linkId}`
  return (
    <List
      caption={reusable.many}
      isStacked
      items={links}
      href={pathOf}
      columns={[
        {
          label: reusable.fields.description.label,
          cell: (link) => (
            <a href={pathOf(link)}>
              <bdi>{shortText(link.description, 48)}</bdi>
            </a>
          ),
        },
        { label: texts.links.amount, end: true, cell: (link) => <Amount link={link} /> },
        { label: texts.links.state, cell: (link) => <LinkBadge link={link} /> },
        { label: reusable.paid, end: true, cell: (link) => <Paid link={link} /> },
        {
          label: reusable.sum,
          end: true,
          cell: (link) => <PaidSum link={link} />,
        },
        { label: texts.links.createdTime, cell: ({ createdTime }) => <Time time={createdTime} /> },
      ]}
      empty={{ title: reusable.empty, body: reusable.emptyBody }}
      next={next}
    />
  )
}

interface LinkProps {
  readonly link: LinkWithTotals
}

function Amount({ link }: LinkProps) {
  const { language, texts } = useRequest()
  const { leastMinor, mostMinor, currency } = link
  if (hasFixedAmount(link)) return <Money minor={leastMinor} currency={currency} />
  const [least, most] = [leastMinor, mostMinor].map((minor) => moneyText(language, minor, currency))
  return <bdi>{texts.reusable.range({ least: least ?? '', most: most ?? '' })}</bdi>
}

const TONES: Readonly<Record<LinkState, string>> = {
  active: 'green',
  busy: 'amber',
  withdrawn: 'grey',
  expired: 'grey',
  'used-up': 'blue',
}

function LinkBadge({ link }: LinkProps) {
  const { ctx, app: merchant, texts } = useRequest()
  const state = stateOf(link, appNow(ctx, merchant))
  return <span class={`pill ${TONES[state]}`}>{texts.reusable.states[state]}</span>
}

function PaidCount({ link: { paidCount, maximumPayments } }: LinkProps) {
  const { language, texts } = useRequest()
  const number = (count: number) => count.toLocaleString(language.intl)
  if (maximumPayments === null) return <>{number(paidCount)}</>
  return <>{texts.reusable.paidOf({ paid: number(paidCount), most: number(maximumPayments) })}</>
}

const showForm = (request: AppRequest, problem?: ApiError): PageAnswer =>
  renderScreen(request, {
    name: 'links',
    title: request.texts.reusable.newTitle,
    crumbs: crumbsOf(request),
    tabs: linkTabs(request, 'many', '/new'),
    ...refused(request, problem),
    children: <ReusableForm problem={problem} />,
  })

const create = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { linkId } = await createLink(request.ctx, request.app, postedLink(request))
      return seeOther(`${request.base}/links/reusable/${linkId}?note=created`)
    },
    (problem) => showForm(request, problem),
  )

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app: merchant, call, texts } = request
  const link = await linkOf(request)
  const before = readId(call.query.cursor ?? '')
  const { items, hasNext } = await paymentsOfLink(ctx, merchant, link, { before, limit: PAGE_SIZE })
  return renderScreen(request, {
    name: 'links',
    title: texts.reusable.title,
    crumbs: crumbsOf(request),
    children: (
      <>
        <LinkFacts link={link} />
        <Card title={texts.reusable.payments}>
          <PaymentList payments={items} next={hasNext ? String(items.at(-1)?.paymentId) : undefined} />
        </Card>
      </>
    ),
  })
}

function LinkFacts({ link }: LinkProps) {
  const { ctx, app: merchant, base, texts } = useRequest()
  const { links, reusable } = texts
  const { description, referencePrefix, expirationTime, createdTime } = link
  const url = linkUrl(ctx, merchant, link)
  const isOpen = link.withdrawnTime === null
  return (
    <div class="link-result">
      <Card>
        <KeyValue
          rows={[
            [reusable.fields.description.label, <bdi>{shortText(description, DESCRIPTION_SHOWN)}</bdi>],
            [links.amount, <Amount link={link} />],
            [links.state, <LinkBadge link={link} />],
            [reusable.paid, <Paid link={link} />],
            [reusable.sum, <PaidSum link={link} />],
            referencePrefix !== null && [
              reusable.begins,
              <bdi>{shortText(referencePrefix, NAME_SHOWN)}</bdi>,
            ],
            expirationTime !== null && [links.until, <Time time={expirationTime} />],
            [links.createdTime, <Time time={createdTime} />],
          ]}
        />
        <div class="field">
          <span class="label">{links.url}</span>
          <CopyText text={url} label={links.url} />
        </div>
        <div class="buttons">
          <LinkButton href={url}>{reusable.open}</LinkButton>
          {isOpen && (
            <QuestionButton href={`${base}/links/reusable/${link.linkId}/withdraw`} kind="danger">
              {reusable.withdraw}
            </QuestionButton>
          )}
        </div>
      </Card>
      {isOpen && (
        <Card class="link-qr">
          <Qr text={url} label={reusable.qr} />
          <p class="hint">{reusable.qrHint}</p>
        </Card>
      )}
    </div>
  )
}

/** The payments that both figures count: those of which something was captured. */
const paidList = (request: AppRequest, { linkId }: LinkWithTotals): string =>
  listOf(request, { q: `link:${linkId} state:paid` })

function Paid({ link }: LinkProps) {
  const request = useRequest()
  const count = <PaidCount link={link} />
  return request.can('PaymentRead') ? <a href={paidList(request, link)}>{count}</a> : count
}

function PaidSum({ link }: LinkProps) {
  const request = useRequest()
  const sum = <Money minor={link.paidMinor} currency={link.currency} />
  return request.can('PaymentRead') ? <a href={paidList(request, link)}>{sum}</a> : sum
}

interface PaymentListProps {
  readonly payments: readonly Payment[]
  readonly next: string | undefined
}

function PaymentList({ payments, next }: PaymentListProps) {
  const { base, texts } = useRequest()
  const { links, reusable } = texts
  const pathOf = ({ paymentId }: Payment) => `${base}/payments/${paymentId}`
  return (
    <List
      caption={reusable.payments}
      isStacked
      items={payments}
      href={pathOf}
      columns={[
        { label: links.payment, cell: (one) => <a href={pathOf(one)}>{String(one.paymentId)}</a> },
        {
          label: links.amount,
          end: true,
          cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
        },
        { label: links.state, cell: ({ state }) => <StateBadge texts={texts} state={state} /> },
        { label: links.fields.reference.label, cell: ({ referenceId }) => shortText(referenceId, 40) },
        { label: links.createdTime, cell: ({ createdTime }) => <Time time={createdTime} /> },
      ]}
      empty={{ title: reusable.noPayments, body: reusable.noPaymentsBody }}
      next={next}
    />
  )
}
