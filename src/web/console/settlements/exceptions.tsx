import type { ApiError } from '../../../base/errors.ts'
import { invalid } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { folded } from '../../../base/text.ts'
import { readId } from '../../../http/wire.ts'
import { appNow } from '../../../merchants/app.ts'
import { closeByHand } from '../../../settlements/commands.ts'
import {
  acceptSuggested,
  EXCEPTION_KINDS,
  type Exception,
  type ExceptionKind,
  exceptionPage,
  getException,
  type ListedException,
  openCounts,
  recheckException,
  rereadException,
} from '../../../settlements/pages.ts'
import { CloseBody } from '../../../settlements/schema.ts'
import { exceptionCursor, readExceptionCursor } from '../../../settlements/view.ts'
import { checked } from '../../kit/form.tsx'
import { Money } from '../../kit/format/money.tsx'
import { profileName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { agoIn, Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { PostButton, QuestionButton, TextArea } from '../../kit/html/forms.tsx'
import { KeyValue } from '../../kit/html/layout.tsx'
import { EmptyState, Pager } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import type { ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderTab } from './tabs.tsx'

/** The work list: what does not agree, by kind, each with what it means and its one button. */

const PAGE_SIZE = 50

const kindOf = ({ kind }: Readonly<Record<string, string>>): ExceptionKind | undefined =>
  EXCEPTION_KINDS.find((one) => one === kind)

const placeIn = ({ cursor = '' }: Readonly<Record<string, string>>) =>
  /^(open|closed)-\d{1,15}$/.test(cursor) ? readExceptionCursor(cursor) : undefined

export const showExceptions = (request: AppRequest): Promise<PageAnswer> => render(request)

async function render(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call, texts } = request
  const { exceptions } = texts.payouts
  const isOpen = call.query.state !== 'closed'
  const filter = { kind: kindOf(call.query), isOpen, before: placeIn(call.query), limit: PAGE_SIZE }
  const [{ items, next }, counts] = await Promise.all([exceptionPage(ctx, app, filter), openCounts(ctx, app)])
  return renderTab(request, {
    tab: 'exceptions',
    problem,
    children: (
      <>
        <p class="muted">{exceptions.intro}</p>
        <Kinds counts={counts} isOpen={isOpen} />
        <ExceptionList items={items} next={next && exceptionCursor(next)} isOpen={isOpen} />
      </>
    ),
  })
}

interface KindsProps {
  readonly counts: Awaited<ReturnType<typeof openCounts>>
  readonly isOpen: boolean
}

/** Open ones by kind, with number and age, and those that are closed. */
function Kinds({ counts, isOpen }: KindsProps) {
  const { base, call, texts, language, ctx, app } = useRequest()
  const { exceptions } = texts.payouts
  const chosen = kindOf(call.query)
  const page = `${base}/payouts/exceptions`
  const now = appNow(ctx, app).getTime()
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const chip = (href: string, label: string, isCurrent: boolean) => (
    <li>
      <a class="chip" href={href} aria-current={isCurrent ? 'true' : undefined}>
        {label}
      </a>
    </li>
  )
  return (
    <ul class="chips exception-kinds" aria-label={exceptions.what}>
      {chip(page, `${exceptions.open} (${total})`, isOpen && !chosen)}
      {EXCEPTION_KINDS.flatMap((kind) => {
        const found = counts.find((one) => one.kind === kind)
        if (!found && kind !== chosen) return []
        const age = found && exceptions.oldest({ age: agoIn(language, now - found.oldestTime.getTime()) })
        const label = `${exceptions.kinds[kind]} (${found?.count ?? 0})${age ? ` · ${age}` : ''}`
        return [chip(`${page}?kind=${kind}`, label, isOpen && kind === chosen)]
      })}
      {chip(`${page}?state=closed`, exceptions.closed, !isOpen)}
    </ul>
  )
}

interface ListProps {
  readonly items: readonly ListedException[]
  readonly next: string | undefined
  readonly isOpen: boolean
}

function ExceptionList({ items, next, isOpen }: ListProps) {
  const { texts, call } = useRequest()
  const { exceptions } = texts.payouts
  if (items.length === 0)
    return (
      <EmptyState title={isOpen ? exceptions.none : exceptions.noneClosed}>
        {isOpen && !kindOf(call.query) && <p>{exceptions.noneBody}</p>}
      </EmptyState>
    )
  return (
    <>
      <ul class="exceptions" aria-label={texts.payouts.tabs.exceptions}>
        {items.map((exception) => (
          <li class="card exception" data-exception={exception.exceptionId}>
            <div class="stack">
              <What exception={exception} />
              <Facts exception={exception} />
            </div>
            {isOpen && <Buttons exception={exception} />}
          </li>
        ))}
      </ul>
      <Pager next={next} />
    </>
  )
}

interface ExceptionProps {
  readonly exception: Exception
}

/** The kind, the payment, line or payout, and what it means. */
function What({ exception }: ExceptionProps) {
  const { base, texts } = useRequest()
  const { payouts } = texts
  const { kind, paymentId, payoutId, lineId, details } = exception
  const line = shortText(details.providerLineId, NAME_SHOWN) ?? String(lineId)
  return (
    <div>
      <h2 class="exception-title">
        {payouts.exceptions.kinds[kind]}
        {' · '}
        {paymentId !== null ? (
          <a href={`${base}/payments/${paymentId}`}>{`${payouts.payment} ${paymentId}`}</a>
        ) : payoutId !== null ? (
          <a href={`${base}/payouts/${payoutId}`}>{payouts.exceptions.payout({ id: String(payoutId) })}</a>
        ) : (
          <bdi>{payouts.exceptions.line({ id: line })}</bdi>
        )}
      </h2>
      <p class="muted small">{payouts.exceptions.meanings[kind]}</p>
    </div>
  )
}

/** Amounts, provider and age; of one that is closed, by whom and why. */
function Facts({ exception }: ExceptionProps) {
  const request = useRequest()
  const { payouts } = request.texts
  const { exceptions } = payouts
  const { details, profileId, openedTime, closedTime, closedBy, reason } = exception
  const provider = shortText(profileName(request, profileId), NAME_SHOWN)
  const elapsedMs = appNow(request.ctx, request.app).getTime() - openedTime.getTime()
  return (
    <KeyValue
      class="exception-facts"
      rows={[
        details.what !== undefined && [exceptions.about, payouts.kinds[details.what]],
        details.expectedMinor !== undefined && [
          exceptions.expected,
          <Detail exception={exception} of="expectedMinor" />,
        ],
        details.actualMinor !== undefined && [
          exceptions.reported,
          <Detail exception={exception} of="actualMinor" />,
        ],
        provider !== undefined && [payouts.provider, <bdi>{provider}</bdi>],
        closedTime === null && [
          exceptions.age,
          <span title={openedTime.toISOString()}>{agoIn(request.language, elapsedMs)}</span>,
        ],
        !!closedTime && [exceptions.closedTime, <Time time={closedTime} />],
        !!closedTime && [exceptions.closedBy, <bdi>{closedBy ?? exceptions.itself}</bdi>],
        reason !== null && [exceptions.reason, <bdi>{reason}</bdi>],
      ]}
    />
  )
}

interface DetailProps extends ExceptionProps {
  readonly of: 'expectedMinor' | 'actualMinor'
}

function Detail({ exception: { details }, of }: DetailProps) {
  const { [of]: minor, currency } = details
  return minor === undefined || currency === undefined ? (
    <>–</>
  ) : (
    <Money minor={BigInt(minor)} currency={currency} />
  )
}

/** The one action of the kind, a suggestion that can be accepted, and closing with a reason. */
function Buttons({ exception }: { readonly exception: ListedException }) {
  const { base, texts, can } = useRequest()
  const { exceptions, reports } = texts.payouts
  const { exceptionId, suggestedId, profileId, action } = exception
  const path = `${base}/payouts/exceptions/${exceptionId}`
  if (!can('SettlementWrite')) return null
  return (
    <div class="exception-buttons">
      {suggestedId !== undefined && (
        <>
          <PostButton action={`${path}/accept`} kind="primary">
            {exceptions.accept({ id: String(suggestedId) })}
          </PostButton>
          <p class="muted small">
            {exceptions.acceptHint} <a href={`${base}/payments/${suggestedId}`}>{texts.payouts.payment}</a>
          </p>
        </>
      )}
      {action === 'upload' && <a href={`${base}/payouts/reports?profile=${profileId}`}>{reports.upload}</a>}
      {action !== 'upload' && action !== undefined && (
        <PostButton action={`${path}/${action}`}>{exceptions[action]}</PostButton>
      )}
      <QuestionButton href={`${path}/close`} label={exceptions.closeOne({ id: String(exceptionId) })}>
        {exceptions.close}
      </QuestionButton>
    </div>
  )
}

const requested = ({ ctx, app, call }: AppRequest): Promise<Exception> =>
  getException(ctx, app, readId(call.params.exceptionId ?? ''))

/** Runs the action of an exception; a refusal is shown above the list. */
const acting =
  (run: (request: AppRequest, exception: Exception) => Promise<unknown>, note: string) =>
  (request: AppRequest): Promise<PageAnswer> =>
    retryForm(
      async () => {
        await run(request, await requested(request))
        return seeOther(`${request.base}/payouts/exceptions?note=${note}`)
      },
      (problem) => render(request, problem),
    )

export const recheckNow = acting(({ ctx, app }, one) => recheckException(ctx, app, one), 'rechecked')
export const readAgain = acting(({ ctx, app }, one) => rereadException(ctx, app, one), 'reading')
export const accept = acting(({ ctx, app }, one) => acceptSuggested(ctx, app, one), 'accepted')
export const keepForeign = acting(
  ({ ctx, app, texts }, { exceptionId }) =>
    closeByHand(ctx, app, exceptionId, texts.payouts.exceptions.foreignReason),
  'foreign',
)

/** Closing asks for a reason. */
export const closeRoutes: readonly ScreenRoute[] = question(
  '/payouts/exceptions/{exceptionId}/close',
  'SettlementWrite',
  {
    back: '/payouts/exceptions',
    subject: requested,
    isPossible: ({ closedTime }) => closedTime === null,
    crumbs: ({ texts, base }) => [
      { label: texts.payouts.title, href: `${base}/payouts` },
      { label: texts.payouts.tabs.exceptions, href: `${base}/payouts/exceptions` },
    ],
    texts: ({ payouts: { exceptions } }) => ({
      title: exceptions.closeTitle,
      button: exceptions.closeButton,
    }),
    fields: ({ texts, call }, exception, errors) => {
      const { exceptions } = texts.payouts
      return (
        <>
          <What exception={exception} />
          <Facts exception={exception} />
          <p>{exceptions.closeBody}</p>
          <TextArea
            id="reason"
            name="reason"
            label={exceptions.reason}
            hint={exceptions.reasonHint}
            {...errors.for('reason')}
            value={call.form.get('reason') ?? ''}
            maxLength={LIMITS.messageLength}
            rows={3}
            required
          />
        </>
      )
    },
    run: async ({ ctx, app, call, texts }, { exceptionId }) => {
      const reason = folded(call.form.get('reason') ?? '')
      if (reason === '') throw invalid([{ field: 'reason', message: texts.payouts.exceptions.reasonMissing }])
      await closeByHand(ctx, app, exceptionId, checked(CloseBody, { reason }).reason)
      return 'closed'
    },
  },
)
