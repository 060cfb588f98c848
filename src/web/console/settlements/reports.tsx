import { ApiError, invalid } from '../../../base/errors.ts'
import { fileProblemIn } from '../../../base/files/file-problem.ts'
import { readId } from '../../../http/wire.ts'
import { importFile, profileNamed, WrongReportError } from '../../../settlements/commands.ts'
import { SETTLEMENTS } from '../../../settlements/limits.ts'
import { getReport, reportPage } from '../../../settlements/pages.ts'
import { profileName, shortName } from '../../kit/format/names.ts'
import { numberText } from '../../kit/format/numbers.ts'
import { DESCRIPTION_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time, timeIn } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Select } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { errorsByField, type FormErrors, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderBelow, renderTab } from './tabs.tsx'

const PAGE_SIZE = 50
const GUIDE = '/docs/guides/settlements'

type Report = Awaited<ReturnType<typeof getReport>>

export const showReports = (request: AppRequest): Promise<PageAnswer> => render(request)

async function render(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call, texts, can } = request
  const { reports } = texts.payouts
  const { items, next } = await reportPage(ctx, app, readId(call.query.cursor ?? ''), PAGE_SIZE)
  const errors = errorsByField(problem)
  return renderTab(request, {
    tab: 'reports',
    problem: errors.size > 0 ? undefined : problem,
    status: errors.status,
    children: (
      <>
        <p class="muted">{reports.intro}</p>
        {can('SettlementWrite') && app.profiles.length > 0 && <Upload errors={errors} />}
        <ReportList items={items} next={next === undefined ? undefined : String(next)} />
      </>
    ),
  })
}

function Upload({ errors }: { readonly errors: FormErrors }) {
  const { app, base, call, texts } = useRequest()
  const { reports } = texts.payouts
  const error = errors.of('file')
  return (
    <Card title={reports.upload}>
      <p class="muted small">
        {reports.uploadHint({ size: String(SETTLEMENTS.fileBytes / 1024 / 1024) })}{' '}
        <a href={GUIDE}>{reports.guide}</a>
      </p>
      <Form action={`${base}/payouts/reports`} class="filter" hasFiles button={reports.button}>
        <Select
          id="report-profile"
          name="profileId"
          label={reports.profile}
          options={app.profiles.map((one) => ({ value: String(one.profileId), label: shortName(one) }))}
          value={call.form.get('profileId') ?? call.query.profile ?? ''}
        />
        <div class="field">
          <label for="report-file">{reports.file}</label>
          <div class="input report-file">
            <input
              id="report-file"
              name="file"
              type="file"
              required
              aria-describedby="report-file-error"
              aria-invalid={error ? 'true' : undefined}
            />
          </div>
          <p class="error" id="report-file-error">
            {error}
          </p>
        </div>
      </Form>
    </Card>
  )
}

/** The same file again says so and changes nothing. */
export const upload = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, app, base, call, texts } = request
      const profile = profileNamed(app, readId(call.form.get('profileId') ?? ''))
      const file = call.files.get('file')
      if (!file) throw invalid([{ field: 'file', message: texts.payouts.reports.noFile }])
      const { reportId, lineCount, badRows, isRepeated } = await importFile(ctx, app, profile, file)
      const note = isRepeated ? 'repeated' : `imported&lines=${lineCount}&bad=${badRows.length}`
      return seeOther(`${base}/payouts/reports/${reportId}?note=${note}`)
    },
    (problem) => render(request, inWords(request, problem)),
  )

/** What is wrong with the file, in the language of the page. */
const inWords = ({ texts }: AppRequest, problem: ApiError): ApiError =>
  problem instanceof WrongReportError
    ? new ApiError(problem.code, fileProblemIn(texts.fileProblems, problem.problem), { isTranslated: true })
    : problem

interface ReportListProps {
  readonly items: readonly Report[]
  readonly next: string | undefined
}

function ReportList({ items, next }: ReportListProps) {
  const request = useRequest()
  const { base, texts } = request
  const { reports } = texts.payouts
  const path = ({ reportId }: Report) => `${base}/payouts/reports/${reportId}`
  return (
    <List
      isStacked
      id="reports-table"
      caption={texts.payouts.tabs.reports}
      items={items}
      href={path}
      columns={[
        { label: reports.received, isTime: true, cell: ({ receivedTime }) => <Time time={receivedTime} /> },
        {
          label: reports.name,
          cell: (report) => (
            <a href={path(report)}>
              <bdi>{nameOf(request, report)}</bdi>
            </a>
          ),
        },
        {
          label: reports.profile,
          cell: ({ profileId }) => <bdi>{shortText(profileName(request, profileId), NAME_SHOWN) ?? '–'}</bdi>,
        },
        { label: reports.lines, cell: ({ lineCount }) => numberText(request, lineCount), end: true },
        {
          label: reports.bad,
          cell: ({ badRows }) =>
            badRows ? <span class="pill amber">{numberText(request, badRows.length)}</span> : '–',
          end: true,
        },
      ]}
      empty={{ title: reports.none, body: reports.noneBody }}
      next={next}
    />
  )
}

/** The name of a file, or the period of what was read from the provider. */
function nameOf(request: AppRequest, { source, fileName, fromTime, untilTime }: Report): string {
  const { reports } = request.texts.payouts
  if (source === 'file') return shortText(fileName ?? undefined, NAME_SHOWN) ?? reports.unnamed
  return fromTime && untilTime ? periodOf(request, fromTime, untilTime) : reports.api
}

const periodOf = (request: AppRequest, from: Date, to: Date): string =>
  request.texts.payouts.reports.period({
    from: timeIn(request, from, 'day'),
    to: timeIn(request, to, 'day'),
  })

/** One report, with the rows that could not be read. */
export async function showReport(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const report = await getReport(ctx, app, readId(call.params.reportId ?? ''))
  const title = nameOf(request, report)
  return renderBelow(request, { title, children: <ReportDetail report={report} /> }, 'reports')
}

function ReportDetail({ report }: { readonly report: Report }) {
  const request = useRequest()
  const { texts } = request
  const { reports, facts } = texts.payouts
  const { receivedTime, profileId, fromTime, untilTime, lineCount, source } = report
  const bad = report.badRows ?? []
  return (
    <>
      <Card title={facts}>
        <KeyValue
          rows={[
            [reports.received, <Time time={receivedTime} />],
            source === 'api' && [reports.report, reports.api],
            [reports.profile, <bdi>{shortText(profileName(request, profileId), NAME_SHOWN) ?? '–'}</bdi>],
            [reports.lines, numberText(request, lineCount)],
            !!fromTime && !!untilTime && [reports.name, periodOf(request, fromTime, untilTime)],
          ]}
        />
      </Card>
      <Card title={reports.badRows}>
        {bad.length === 0 ? (
          <p>{reports.noBad}</p>
        ) : (
          <>
            <p>{reports.badBody}</p>
            {bad.length >= SETTLEMENTS.badRows && (
              <p class="muted small">{reports.most({ count: String(bad.length) })}</p>
            )}
            <List
              isStacked
              caption={reports.badRows}
              items={bad}
              columns={[
                { label: reports.row, cell: ({ row }) => <code>{shortText(row, NAME_SHOWN)}</code> },
                {
                  label: reports.problem,
                  cell: ({ problem }) =>
                    shortText(fileProblemIn(texts.fileProblems, problem), DESCRIPTION_SHOWN),
                },
              ]}
            />
          </>
        )}
      </Card>
    </>
  )
}
