import { type AuditEntry, auditEntries } from '../../../audit/audit.ts'
import { ApiError, invalid } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import { getPayment } from '../../../payments/actions.ts'
import { linkMailsOf, mailLink } from '../../../payments/mail-link.ts'
import type { Payment } from '../../../payments/payment.ts'
import { isPayable } from '../../../payments/view.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { PersonName } from '../../kit/html/text.tsx'
import { EmptyState, List } from '../../kit/list.tsx'
import { refusalText, refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { firstLinkNotice } from '../going-live/routes.tsx'
import { payerEmail, payerName } from '../payment/words.ts'
import { chooseCustomer } from './customer.tsx'
import { createLink, readLink } from './fields.ts'
import { LinkForm, type Refused } from './form.tsx'
import { postedMail } from './mail.tsx'
import { LinkResult } from './result.tsx'
import { reusableScreens } from './reusable.tsx'
import { linkTabs } from './tabs.ts'

const PAGE_SIZE = 30

export const linksScreens = (): ScreenRoute[] => [
  app('GET', '/links', 'PaymentWrite', list),
  app('GET', '/links/new', 'PaymentWrite', (request) => render(request, {})),
  app('POST', '/links/new', 'PaymentWrite', create, { formBytes: LIMITS.longFormBytes }),
  ...reusableScreens(),
  app('GET', '/links/{paymentId}', 'PaymentWrite', (request) => show(request)),
  app('POST', '/links/{paymentId}/mail', 'PaymentWrite', send),
]

/** Links are found by the audit entries of their creation, which also tell who made them. */
async function list(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, call, texts } = request
  const { links } = texts
  const found = await auditEntries(ctx, app.licenseId, {
    appId: app.appId,
    action: 'link.created',
    before: readId(call.query.cursor ?? ''),
    limit: PAGE_SIZE + 1,
  })
  const entries = found.slice(0, PAGE_SIZE)
  const made = await Promise.all(entries.map((entry) => linkOf(request, entry)))
  const next = found.length > PAGE_SIZE ? String(entries.at(-1)?.entryId) : undefined
  const newLink = `${base}/links/new`
  return renderScreen(request, {
    name: 'links',
    title: links.title,
    tabs: linkTabs(request, 'one'),
    actions: (
      <GetButton href={newLink} kind="primary">
        {links.create}
      </GetButton>
    ),
    children:
      entries.length === 0 ? (
        <EmptyState title={links.empty}>
          <p>{links.emptyBody}</p>
          <GetButton href={newLink}>{links.create}</GetButton>
        </EmptyState>
      ) : (
        <>
          <p class="muted">{links.intro}</p>
          <LinkList links={made.filter((link) => link !== undefined)} next={next} />
        </>
      ),
  })
}

type Link = Payment & { readonly maker: string }

/** Undefined after the payments of a sandbox app were cleared. */
async function linkOf({ ctx, app }: AppRequest, entry: AuditEntry): Promise<Link | undefined> {
  try {
    const payment = await getPayment(ctx, app, readId(entry.target.replace('payment:', '')))
    return { ...payment, maker: entry.actor.name }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

function LinkList({ links, next }: { readonly links: readonly Link[]; readonly next: string | undefined }) {
  const { base, language, texts } = useRequest()
  const words = texts.links
  const pathOf = ({ paymentId }: Link) => `${base}/links/${paymentId}`
  return (
    <List
      caption={words.title}
      isStacked
      items={links}
      href={pathOf}
      columns={[
        {
          label: words.amount,
          end: true,
          cell: (link) => (
            <a href={pathOf(link)}>
              <MoneyText language={language} minor={link.amountMinor} currency={link.currency} />
            </a>
          ),
        },
        { label: words.state, cell: ({ state }) => <StateBadge texts={texts} state={state} /> },
        {
          label: texts.payments.column.customer,
          cell: (link) => (
            <PersonName customerId={link.customerId} name={payerName(link)} email={payerEmail(link)} />
          ),
        },
        {
          label: words.fields.description.label,
          cell: ({ details: { description } }) => description && <bdi>{shortText(description, 48)}</bdi>,
        },
        { label: words.createdTime, isTime: true, cell: ({ createdTime }) => <Time time={createdTime} /> },
        {
          label: words.until,
          isTime: true,
          cell: ({ expirationTime }) => expirationTime && <Time time={expirationTime} />,
        },
        { label: words.by, cell: ({ maker }) => <bdi>{shortText(maker, 40)}</bdi> },
      ]}
      next={next}
    />
  )
}

const crumbsOf = ({ texts, base }: AppRequest) => [{ label: texts.links.title, href: `${base}/links` }]

const render = async (request: AppRequest, refused: Refused, status = 200): Promise<PageAnswer> =>
  renderScreen(request, {
    name: 'links',
    title: request.texts.links.newTitle,
    crumbs: crumbsOf(request),
    tabs: linkTabs(request, 'one', '/new'),
    status,
    children: (
      <>
        {await firstLinkNotice(request)}
        <LinkForm {...refused} />
      </>
    ),
  })

async function create(request: AppRequest): Promise<PageAnswer> {
  const { order, errors } = readLink(request)
  const { customer, customers, errors: customerErrors } = await chooseCustomer(request)
  if (!order || !customer)
    return render(request, { wrong: invalid([...errors, ...customerErrors]), customers }, 422)
  return retryForm(
    async () => {
      const { paymentId } = await createLink(request, order, customer)
      return seeOther(`${request.base}/links/${paymentId}?note=created`)
    },
    (problem) => render(request, { refusal: refusalText(request, problem) }, problem.status),
  )
}

const paymentOf = ({ ctx, app, call }: AppRequest): Promise<Payment> =>
  getPayment(ctx, app, readId(call.params.paymentId ?? ''))

/** The link by e-mail. */
async function send(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base } = request
  return retryForm(
    async () => {
      const payment = await paymentOf(request)
      const isQueued = await mailLink(ctx, app, payment, postedMail(request))
      return seeOther(`${base}/links/${payment.paymentId}?note=${isQueued ? 'mailed' : 'mail-limit'}`)
    },
    (problem) => show(request, problem),
  )
}

async function show(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, base } = request
  const payment = await paymentOf(request)
  const sent = await linkMailsOf(ctx, app, payment)
  return renderScreen(request, {
    name: 'links',
    title: request.texts.links.resultTitle,
    crumbs: crumbsOf(request),
    ...refused(request, problem),
    data: {
      'data-version': String(payment.version),
      ...(isPayable(ctx, app, payment) && { 'data-live': `${base}/payments/${payment.paymentId}/events` }),
    },
    children: <LinkResult payment={payment} sent={sent} problem={problem} />,
  })
}
