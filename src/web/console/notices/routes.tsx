import { CONSOLE_PAGES } from '../../../base/console-pages.ts'
import { listNotices, markRead, type Notice } from '../../../notices/notices.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import { numberText } from '../../kit/format/numbers.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import { noticeReader } from '../../kit/frame/bell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { PostButton } from '../../kit/html/forms.tsx'
import { EmptyState } from '../../kit/list.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'

/** What the team should know about the app, by person read or not. */
export const noticesScreens = (): ScreenRoute[] => [
  app('GET', '/notices', 'DashboardRead', show),
  app('POST', '/notices/open', 'DashboardRead', open),
  app('POST', '/notices/read', 'DashboardRead', read),
]

const noticesOf = (request: AppRequest): Promise<Notice[]> =>
  listNotices(request.ctx, noticeReader(request, request.app))

async function show(request: AppRequest): Promise<PageAnswer> {
  const { notices } = request.texts
  const all = await noticesOf(request)
  return renderScreen(request, {
    name: 'notices',
    title: notices.title,
    actions: all.some(({ isRead }) => !isRead) && (
      <PostButton action={`${request.base}/notices/read`}>{notices.readAll}</PostButton>
    ),
    children:
      all.length === 0 ? (
        <EmptyState icon="bell" title={notices.none}>
          <p>{notices.noneBody}</p>
        </EmptyState>
      ) : (
        <>
          <p class="muted">{notices.intro}</p>
          <ul class="notices">
            {all.map((notice) => (
              <NoticeLine notice={notice} />
            ))}
          </ul>
        </>
      ),
  })
}

function NoticeLine({ notice }: { readonly notice: Notice }) {
  const request = useRequest()
  const { texts, base } = request
  const { notices } = texts
  const { noticeId, createdTime, isRead } = notice
  const sentence = sentenceOf(request, notice)
  return (
    <li class={isRead ? undefined : 'is-unread'}>
      <div>
        <p>
          {!isRead && <span class="visually-hidden">{`${notices.unread}: `}</span>}
          <bdi>{sentence}</bdi>
        </p>
        <p class="muted small">
          <Time time={createdTime} />
        </p>
      </div>
      <div class="buttons">
        <PostButton
          action={`${base}/notices/open`}
          hidden={{ notice: noticeId }}
          label={`${notices.open}: ${sentence}`}
        >
          {notices.open}
        </PostButton>
        {!isRead && (
          <PostButton
            action={`${base}/notices/read`}
            hidden={{ notice: noticeId }}
            label={`${notices.read}: ${sentence}`}
          >
            {notices.read}
          </PostButton>
        )}
      </div>
    </li>
  )
}

/** The notice in the language of the page. */
function sentenceOf({ texts, language }: AppRequest, notice: Notice): string {
  const { kinds } = texts.notices
  const money = ({ amountMinor, currency }: { readonly amountMinor: string; readonly currency: string }) =>
    moneyInText(language, BigInt(amountMinor), currency)
  switch (notice.kind) {
    case 'endpoint-failing': {
      const { endpoint, disabled } = kinds
      return (notice.data.isDisabled ? disabled : endpoint)({ url: shortText(notice.data.url, 80) ?? '' })
    }
    case 'provider-degraded':
      return kinds.provider({ name: shortText(notice.data.name, NAME_SHOWN) ?? '' })
    case 'authorisations-ending': {
      const { count, isMore } = notice.data
      return isMore ? kinds.authorisationsMore({ count }) : kinds.authorisations({ count })
    }
    case 'settlements': {
      const { opened, failing } = notice.data
      return opened > 0 ? kinds.exceptions({ count: opened }) : kinds.sources({ count: failing })
    }
    case 'dispute':
      return kinds.disputes[notice.data.occasion]({ amount: money(notice.data) })
    case 'refund-waiting':
      return kinds.refund({ amount: money(notice.data), id: notice.data.paymentId })
    case 'export-ready': {
      const { what, rows, isFailed } = notice.data
      const name = textNamed(texts.exports.kinds, what) ?? what
      return isFailed
        ? kinds.exportFailed({ name })
        : kinds.exported({ name, count: rows, number: numberText({ language }, rows) })
    }
  }
}

function targetOf({ app: { appId }, base }: AppRequest, notice: Notice): string {
  switch (notice.kind) {
    case 'endpoint-failing':
      return CONSOLE_PAGES.webhooks(appId)
    case 'provider-degraded':
      return CONSOLE_PAGES.profileOfProvider(appId, notice.data.profileId)
    case 'authorisations-ending':
      return CONSOLE_PAGES.authorizedPayments(appId)
    case 'settlements':
      return notice.data.opened > 0
        ? CONSOLE_PAGES.settlementExceptions(appId)
        : CONSOLE_PAGES.settlementSources(appId)
    case 'dispute':
      return CONSOLE_PAGES.dispute(appId, notice.data.disputeId)
    case 'refund-waiting':
      return `${base}/approvals`
    case 'export-ready':
      return CONSOLE_PAGES.exports(appId)
  }
}

/** Marks it as read and leads to what it is about. */
async function open(request: AppRequest): Promise<PageAnswer> {
  const { ctx, base, call } = request
  const noticeId = call.form.get('notice') ?? ''
  const found = (await noticesOf(request)).find((notice) => notice.noticeId === noticeId)
  if (!found) return seeOther(`${base}/notices`)
  await markRead(ctx, noticeReader(request, request.app), noticeId)
  return seeOther(targetOf(request, found))
}

/** One, or all of them. */
async function read(request: AppRequest): Promise<PageAnswer> {
  const { ctx, base, call } = request
  await markRead(ctx, noticeReader(request, request.app), call.form.get('notice') ?? undefined)
  return seeOther(`${base}/notices`)
}
