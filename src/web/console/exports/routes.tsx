import { after } from '../../../base/clock.ts'
import { LIMITS } from '../../../base/limits.ts'
import { cancelExport, deleteExport, exportsOf, openFile } from '../../../exports/commands.ts'
import type { Export, Schedule } from '../../../exports/export.ts'
import { changeSchedule, removeSchedule, schedulesOf } from '../../../exports/schedules.ts'
import { dateFormat } from '../../kit/format/dates.ts'
import { numberText } from '../../kit/format/numbers.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton, PostButton } from '../../kit/html/forms.tsx'
import { List } from '../../kit/list.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { renderPart, useRequest } from '../../kit/screen.tsx'
import { postForm, showForm } from './form.tsx'

const ONE = '/exports/{exportId}'
const SCHEDULE = '/exports/schedules/{scheduleId}'

/** Each kind of export also needs the permission of its rows, which the commands check. */
export function exportsScreens(): ScreenRoute[] {
  const make = proof('PaymentRead')
  const change = proof('PaymentRead', '/exports')
  const form = { formBytes: LIMITS.longFormBytes }
  return [
    app('GET', '/exports', 'PaymentRead', show),
    app('GET', '/exports/list', 'PaymentRead', showList),
    app('GET', '/exports/new', make, showForm('once')),
    app('POST', '/exports/new', make, postForm('once'), form),
    app('GET', '/exports/schedules/new', make, showForm('schedule')),
    app('POST', '/exports/schedules/new', make, postForm('schedule'), form),
    app('POST', `${SCHEDULE}/pause`, change, pausing(true, 'paused')),
    app('POST', `${SCHEDULE}/resume`, change, pausing(false, 'resumed')),
    app('POST', `${SCHEDULE}/remove`, 'PaymentRead', dropSchedule),
    app('GET', `${ONE}/file`, make, download),
    app('POST', `${ONE}/cancel`, 'PaymentRead', cancel),
    app('POST', `${ONE}/remove`, 'PaymentRead', remove),
  ]
}

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts } = request
  const words = texts.exports
  const [exports, schedules] = await Promise.all([exportsOf(ctx, app), schedulesOf(ctx, app)])
  return renderScreen(request, {
    name: 'exports',
    title: words.title,
    actions: (
      <>
        {request.mayUse('GET', '/exports/imports') && (
          <>
            <GetButton href={`${base}/exports/imports`}>{texts.moving.title}</GetButton>
            <GetButton href={`${base}/exports/everything`}>{texts.moving.everything}</GetButton>
          </>
        )}
        <GetButton href={`${base}/exports/new`} kind="primary">
          {words.create}
        </GetButton>
      </>
    ),
    children: (
      <>
        <p class="muted">{words.intro}</p>
        <div data-poll={isUnfinished(exports) ? `${base}/exports/list` : undefined}>
          <Exports exports={exports} />
        </div>
        <div class="card-head">
          <h2>{words.schedules}</h2>
          <GetButton href={`${base}/exports/schedules/new`}>{words.newSchedule}</GetButton>
        </div>
        <p class="muted">{words.schedulesIntro}</p>
        <Schedules schedules={schedules} />
      </>
    ),
  })
}

const isUnfinished = (exports: readonly Export[]): boolean =>
  exports.some(({ state }) => state === 'waiting' || state === 'running')

/** For the script of the page, until every export has ended. */
async function showList(request: AppRequest): Promise<PageAnswer> {
  const exports = await exportsOf(request.ctx, request.app)
  return renderPart(request, <Exports exports={exports} />)
}

const PILLS = { waiting: '', running: 'blue', done: 'green', failed: 'red', cancelled: '' } as const

function Exports({ exports }: { readonly exports: readonly Export[] }) {
  const request = useRequest()
  const { base, texts } = request
  const words = texts.exports
  return (
    <>
      <List
        caption={words.title}
        isStacked
        items={exports}
        columns={[
          { label: words.what, cell: ({ kind }) => words.kinds[kind] },
          { label: words.period, cell: (one) => periodText(request, one) },
          { label: words.rows, end: true, cell: ({ rowCount }) => numberText(request, rowCount) },
          { label: words.state, cell: (one) => <State of={one} /> },
          {
            label: words.by,
            cell: ({ requestedBy, scheduleId, createdTime }) => (
              <>
                <bdi>{requestedBy.name}</bdi>
                {scheduleId && <span class="muted"> · {words.bySchedule}</span>}
                <div class="muted">
                  <Time time={createdTime} />
                </div>
              </>
            ),
          },
          { label: texts.frame.more, isQuiet: true, cell: (one) => <Actions of={one} /> },
        ]}
        empty={{ title: words.empty, body: words.emptyBody }}
      />
      {isUnfinished(exports) ? (
        <div class="buttons export-refresh">
          <GetButton href={`${base}/exports`}>{words.refresh}</GetButton>
        </div>
      ) : (
        <span data-poll-done="yes" hidden />
      )}
    </>
  )
}

function State({ of: { state, problem } }: { readonly of: Export }) {
  const words = useRequest().texts.exports
  return (
    <>
      <span class={`pill ${PILLS[state]}`}>{words.states[state]}</span>
      {problem && <p class="muted">{words.problems[problem]}</p>}
    </>
  )
}

/** The days of the period in the zone of the app. */
function periodText({ app, language, texts }: AppRequest, { spec }: Export): string {
  const words = texts.exports
  const format = dateFormat(language.intl, { dateStyle: 'medium', timeZone: app.timeZone })
  const to = format.format(after(new Date(spec.to), -1))
  return spec.from === null
    ? words.until({ to })
    : words.range({ from: format.format(new Date(spec.from)), to })
}

function Actions({ of: one }: { readonly of: Export }) {
  const request = useRequest()
  const { base, texts, can, person } = request
  const words = texts.exports
  const { exportId, state, kind, requestedBy } = one
  const about = { what: words.kinds[kind], period: periodText(request, one) }
  const path = `${base}/exports/${exportId}`
  const mayChange = requestedBy.id === person.personId || can('AppSettingWrite')
  const isOver = state !== 'waiting' && state !== 'running'
  return (
    <div class="export-actions">
      {state === 'done' && (
        <a class="button quiet" href={`${path}/file`} aria-label={words.downloadOf(about)} download>
          {words.download}
        </a>
      )}
      {mayChange && (
        <PostButton
          action={`${path}/${isOver ? 'remove' : 'cancel'}`}
          label={isOver ? words.removeOf(about) : words.cancelOf(about)}
        >
          {isOver ? words.remove : words.cancel}
        </PostButton>
      )}
    </div>
  )
}

function Schedules({ schedules }: { readonly schedules: readonly Schedule[] }) {
  const { texts } = useRequest()
  const words = texts.exports
  return (
    <List
      caption={words.schedules}
      isStacked
      items={schedules}
      columns={[
        { label: words.what, cell: ({ kind }) => words.kinds[kind] },
        { label: words.every, cell: ({ every }) => words.everies[every] },
        {
          label: words.recipients,
          cell: ({ recipients }) =>
            recipients.length > 0 ? words.recipientCount({ count: recipients.length }) : words.noRecipients,
        },
        {
          label: words.next,
          isTime: true,
          cell: ({ isPaused, nextTime }) => !isPaused && <Time time={nextTime} />,
        },
        {
          label: words.state,
          cell: ({ isPaused }) => (
            <span class={isPaused ? 'pill' : 'pill green'}>{isPaused ? words.paused : words.active}</span>
          ),
        },
        { label: texts.frame.more, isQuiet: true, cell: (one) => <ScheduleActions of={one} /> },
      ]}
      empty={{ title: words.noSchedules }}
    />
  )
}

function ScheduleActions({
  of: { scheduleId, isPaused, kind, every, createdBy },
}: {
  readonly of: Schedule
}) {
  const { base, texts, can, person } = useRequest()
  const words = texts.exports
  if (createdBy.id !== person.personId && !can('AppSettingWrite')) return null
  const about = { what: words.kinds[kind], every: words.everies[every] }
  const path = `${base}/exports/schedules/${scheduleId}`
  return (
    <div class="export-actions">
      <PostButton
        action={`${path}/${isPaused ? 'resume' : 'pause'}`}
        label={isPaused ? words.resumeOf(about) : words.pauseOf(about)}
      >
        {isPaused ? words.resume : words.pause}
      </PostButton>
      <PostButton action={`${path}/remove`} label={words.removeScheduleOf(about)}>
        {words.removeSchedule}
      </PostButton>
    </div>
  )
}

const idOf = ({ call }: AppRequest, name: 'exportId' | 'scheduleId'): string => call.params[name] ?? ''

async function download(request: AppRequest): Promise<PageAnswer> {
  const { name, content } = await openFile(request.ctx, request.app, idOf(request, 'exportId'))
  return {
    file: content,
    type: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' },
  }
}

const back = ({ base }: AppRequest, note: string): PageAnswer => seeOther(`${base}/exports?note=${note}`)

async function cancel(request: AppRequest): Promise<PageAnswer> {
  await cancelExport(request.ctx, request.app, idOf(request, 'exportId'))
  return back(request, 'cancelled')
}

async function remove(request: AppRequest): Promise<PageAnswer> {
  await deleteExport(request.ctx, request.app, idOf(request, 'exportId'))
  return back(request, 'removed')
}

const pausing =
  (isPaused: boolean, note: string) =>
  async (request: AppRequest): Promise<PageAnswer> => {
    await changeSchedule(request.ctx, request.app, idOf(request, 'scheduleId'), { isPaused })
    return back(request, note)
  }

async function dropSchedule(request: AppRequest): Promise<PageAnswer> {
  await removeSchedule(request.ctx, request.app, idOf(request, 'scheduleId'))
  return back(request, 'schedule-removed')
}
