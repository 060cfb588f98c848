import type { ApiError } from '../../../base/errors.ts'
import { createExport, lastChoice, mayExport, type Wanted } from '../../../exports/commands.ts'
import { columnsOf, type ExportKind, KIND_NAMES, usualColumns } from '../../../exports/kinds.ts'
import { readersOf } from '../../../exports/mails.ts'
import {
  daySpan,
  PERIODS,
  PRESETS,
  type Preset,
  presetSpan,
  type SchedulePeriod,
  type Span,
} from '../../../exports/periods.ts'
import { createSchedule } from '../../../exports/schedules.ts'
import { appNow } from '../../../merchants/app.ts'
import { timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { CheckGroup } from '../../kit/html/choices.tsx'
import { ActButton, Button, Checkbox, Field, Select } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { errorsByField, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'
import { addressQuery, postedAddress, readAddress } from '../payments/address.ts'

/** Of the list of payments with this query. */
export const exportPath = (base: string, query: string): string =>
  `${base}/exports/new?${new URLSearchParams({ kind: 'payments', ...(query && { query }) })}`

/** What the form shows. */
interface Chosen {
  readonly kind: ExportKind
  /** Those that are ticked, in their order. */
  readonly columns: readonly string[]
  readonly isSemicolon: boolean
  readonly hasMark: boolean
  readonly period: Preset | 'own'
  readonly from: string
  readonly to: string
  readonly every: SchedulePeriod
  readonly recipients: readonly string[]
  /** The address of the list of payments. */
  readonly query: string
}

type Purpose = 'once' | 'schedule'

/** Everything has a page of its own. */
const kindsFor = ({ ctx }: AppRequest): readonly ExportKind[] =>
  KIND_NAMES.filter((kind) => kind !== 'everything' && mayExport(ctx, kind))

/** The kind of the address, the choices that the person made last, and for the rest what most will want. */
async function firstChoice(request: AppRequest): Promise<Chosen> {
  const { ctx, app, call, person } = request
  const kind = kindsFor(request).find((one) => one === call.query.kind) ?? 'payments'
  const { personId } = person
  const last = await lastChoice(ctx, app, { personId, kind })
  const known = (last?.columns ?? []).filter((name) => columnsOf(kind).includes(name))
  const address = Object.fromEntries(new URLSearchParams(kind === 'payments' ? call.query.query : ''))
  const query = addressQuery({ ...readAddress(address), columns: [] })
  return {
    kind,
    columns: known.length > 0 ? known : usualColumns(kind),
    isSemicolon: last?.separator === ';',
    hasMark: last?.hasMark ?? true,
    // The list has its own dates.
    period: query === '' ? 'last-30-days' : 'all',
    ...{ from: '', to: '', every: 'month', recipients: [personId], query },
  }
}

function postedChoice(request: AppRequest): Chosen {
  const { call } = request
  const { form } = call
  const kind = kindsFor(request).find((one) => one === form.get('kind')) ?? 'payments'
  const text = (name: string) => (form.get(name) ?? '').trim().slice(0, 10)
  return {
    kind,
    columns: columnsIn(kind, call.fieldsOf('columns')),
    isSemicolon: form.get('separator') === 'semicolon',
    hasMark: form.has('mark'),
    period: [...PRESETS, 'own' as const].find((one) => one === form.get('period')) ?? 'all',
    ...{ from: text('from'), to: text('to') },
    every: PERIODS.find((one) => one === form.get('every')) ?? 'month',
    recipients: call.fieldsOf('recipients').slice(0, 50),
    query: kind === 'payments' ? addressQuery({ ...postedAddress(call), columns: [] }) : '',
  }
}

const columnsIn = (kind: ExportKind, names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => columnsOf(kind).includes(name))

/** The columns with this one before that which was above it. */
function movedUp(columns: readonly string[], name: string): string[] {
  const place = columns.indexOf(name)
  const others = columns.filter((one) => one !== name)
  return place < 0 ? [...columns] : others.toSpliced(Math.max(0, place - 1), 0, name)
}

export const showForm =
  (purpose: Purpose) =>
  async (request: AppRequest): Promise<PageAnswer> =>
    render(request, purpose, await firstChoice(request))

/** A button of a column changes the order and shows the form again; the other one makes the file. */
export const postForm =
  (purpose: Purpose) =>
  async (request: AppRequest): Promise<PageAnswer> => {
    const chosen = postedChoice(request)
    const [act, column = ''] = (request.call.form.get('act') ?? '').split(':')
    if (act === 'up') return render(request, purpose, { ...chosen, columns: movedUp(chosen.columns, column) })
    return retryForm(
      () => (purpose === 'once' ? make(request, chosen) : schedule(request, chosen)),
      (problem) => render(request, purpose, chosen, problem),
    )
  }

const wantedOf = ({ kind, columns, isSemicolon, hasMark, query }: Chosen): Wanted => ({
  ...{ kind, columns, hasMark },
  separator: isSemicolon ? ';' : ',',
  filter: readAddress(Object.fromEntries(new URLSearchParams(query))).filter,
})

function spanOf({ ctx, app }: AppRequest, { period, from, to }: Chosen): Span {
  const now = appNow(ctx, app)
  return period === 'own' ? daySpan({ from, to }, now, app.timeZone) : presetSpan(period, now, app)
}

async function make(request: AppRequest, chosen: Chosen): Promise<PageAnswer> {
  const { ctx, app, base } = request
  const wanted = { ...wantedOf(chosen), span: spanOf(request, chosen), timeZone: timeZoneOf(request) }
  const { exportId, state } = await createExport(ctx, app, wanted)
  return seeOther(`${base}/exports${state === 'done' ? `/${exportId}/file` : '?note=started'}`)
}

async function schedule(request: AppRequest, chosen: Chosen): Promise<PageAnswer> {
  const { ctx, app, base } = request
  const { every, recipients } = chosen
  await createSchedule(ctx, app, { ...wantedOf(chosen), every, recipients })
  return seeOther(`${base}/exports?note=scheduled`)
}

async function render(
  request: AppRequest,
  purpose: Purpose,
  ...[chosen, problem]: readonly [chosen: Chosen, problem?: ApiError]
): Promise<PageAnswer> {
  const { ctx, app, texts, base } = request
  const words = texts.exports
  const path = `${base}/exports/${purpose === 'once' ? 'new' : 'schedules/new'}`
  const readers = purpose === 'once' ? [] : await readersOf(ctx, app, chosen.kind)
  const isOnce = purpose === 'once'
  return renderScreen(request, {
    name: 'exports',
    title: isOnce ? words.newTitle : words.newSchedule,
    crumbs: [{ label: words.title, href: `${base}/exports` }],
    tabs: kindsFor(request).map((kind) => ({
      label: words.kinds[kind],
      href: `${path}?kind=${kind}`,
      isCurrent: kind === chosen.kind,
    })),
    problem,
    children: (
      <Form action={path} hidden={{ kind: chosen.kind, query: chosen.query }}>
        {/* The button that Enter presses. */}
        <Button name="act" value="make" hidden data={DOWNLOADS}>
          {words.make}
        </Button>
        {chosen.query && <OfList query={chosen.query} path={path} />}
        {isOnce ? <PeriodFields chosen={chosen} /> : <ScheduleFields chosen={chosen} readers={readers} />}
        <ColumnFields chosen={chosen} error={errorsByField(problem).of('columns')} />
        <FormatFields chosen={chosen} />
        <div class="buttons">
          <Button name="act" value="make" {...(isOnce && { data: DOWNLOADS })}>
            {isOnce ? words.make : words.makeSchedule}
          </Button>
        </div>
      </Form>
    ),
  })
}

/** A small file is downloaded, and the page stays. */
const DOWNLOADS = { 'data-download': 'yes' } as const

function OfList({ query, path }: { readonly query: string; readonly path: string }) {
  const words = useRequest().texts.exports
  const filter = decodeURIComponent(query.replaceAll('+', ' ')).replaceAll('&', ', ')
  return (
    <p class="muted">
      {words.filtered({ filter })} <a href={`${path}?kind=payments`}>{words.unfiltered}</a>
    </p>
  )
}

interface ChosenProps {
  readonly chosen: Chosen
}

function PeriodFields({ chosen: { period, from, to } }: ChosenProps) {
  const { app, texts } = useRequest()
  const words = texts.exports
  const options = [...PRESETS, 'own' as const].map((value) => ({ value, label: words.presets[value] }))
  const hint = words.zone({ zone: app.timeZone })
  return (
    <div class="export-fields">
      <Select id="period" name="period" label={words.period} options={options} value={period} hint={hint} />
      <Field id="from" name="from" type="date" label={`${words.from} (${words.presets.own})`} value={from} />
      <Field id="to" name="to" type="date" label={`${words.to} (${words.presets.own})`} value={to} />
    </div>
  )
}

interface ScheduleProps extends ChosenProps {
  readonly readers: readonly { readonly personId: string; readonly name: string; readonly email: string }[]
}

function ScheduleFields({ chosen: { every, recipients }, readers }: ScheduleProps) {
  const { app, ctx, texts } = useRequest()
  const words = texts.exports
  const options = PERIODS.map((value) => ({ value, label: words.everies[value] }))
  const choices = readers.map(({ personId, name, email }) => ({
    value: personId,
    label: <bdi>{name ? `${name} (${email})` : email}</bdi>,
    isChecked: recipients.includes(personId),
  }))
  const hint = words.zone({ zone: app.timeZone })
  return (
    <>
      <Select id="every" name="every" label={words.every} options={options} value={every} hint={hint} />
      {!ctx.config.mail && <p class="muted">{words.noMail}</p>}
      <CheckGroup name="recipients" legend={words.recipients} choices={choices} />
    </>
  )
}

/** Ticked columns come first, in their order, and can be moved. */
function ColumnFields({ chosen, error }: ChosenProps & { readonly error: string | undefined }) {
  const words = useRequest().texts.exports
  const { kind, columns } = chosen
  const rest = columnsOf(kind).filter((name) => !columns.includes(name))
  return (
    <fieldset class="export-columns" aria-describedby="columns-hint columns-error">
      <legend>{words.columns}</legend>
      <p class="hint" id="columns-hint">
        {words.columnsHint}
      </p>
      {[...columns, ...rest].map((name, place) => {
        const label = textNamed(words.columnNames, name) ?? name
        return (
          <div class="export-column">
            <label class="check">
              <input type="checkbox" name="columns" value={name} checked={place < columns.length} />
              <span>{label}</span>
            </label>
            {place > 0 && place < columns.length && (
              <ActButton act={`up:${name}`} text={words.up({ column: label })} sign="↑" />
            )}
          </div>
        )
      })}
      <p class="error" id="columns-error">
        {error}
      </p>
    </fieldset>
  )
}

function FormatFields({ chosen: { isSemicolon, hasMark } }: ChosenProps) {
  const words = useRequest().texts.exports
  const options = (['comma', 'semicolon'] as const).map((value) => ({
    value,
    label: words.separators[value],
  }))
  const value = isSemicolon ? 'semicolon' : 'comma'
  return (
    <div class="export-fields">
      <Select id="separator" name="separator" label={words.separator} options={options} value={value} />
      <Checkbox id="mark" name="mark" checked={hasMark}>
        {words.mark}
      </Checkbox>
    </div>
  )
}
