import { type ApiError, invalid } from '../../../base/errors.ts'
import { createExport } from '../../../exports/commands.ts'
import { appNow } from '../../../merchants/app.ts'
import { cancelImport, createImport, getImport, importsOf, problemsOf } from '../../../moving/commands.ts'
import type { Import } from '../../../moving/import.ts'
import { IMPORTS } from '../../../moving/limits.ts'
import type { WrongLine } from '../../../moving/read-file.ts'
import { problemText } from '../../../moving/words.ts'
import { numberText } from '../../kit/format/numbers.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Field, Select } from '../../kit/html/controls.tsx'
import { Form, GetButton, PostButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { errorsByField, type FormErrors, refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'

const PATH = '/exports/imports'
const GUIDE = '/docs/guides/moving-in'
/** The other fields and the frame of the form. */
const FORM_BYTES = 16 * 1024
/** Wrong lines that a page shows. */
const SHOWN = 200

/** Imports, and the export of everything. Both are for owners and administrators. */
export function movingScreens(): ScreenRoute[] {
  const rule = proof('LicenseManagement')
  return [
    app('GET', PATH, 'LicenseManagement', show),
    app('GET', `${PATH}/new`, rule, (request) => renderForm(request)),
    app('POST', `${PATH}/new`, rule, send, {
      formBytes: IMPORTS.fileBytes + FORM_BYTES,
      takesFiles: true,
    }),
    app('GET', `${PATH}/{importId}`, 'LicenseManagement', showOne),
    app('POST', `${PATH}/{importId}/cancel`, 'LicenseManagement', cancel),
    app('GET', '/exports/everything', rule, (request) => renderEverything(request)),
    app('POST', '/exports/everything', rule, exportEverything),
  ]
}

const crumbsOf = ({ base, texts }: AppRequest, isBelow = true) => [
  { label: texts.exports.title, href: `${base}/exports` },
  ...(isBelow ? [{ label: texts.moving.title, href: base + PATH }] : []),
]

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts } = request
  const words = texts.moving
  const imports = await importsOf(ctx, app)
  const path = ({ importId }: Import) => `${base}${PATH}/${importId}`
  return renderScreen(request, {
    name: 'exports',
    title: words.title,
    crumbs: crumbsOf(request, false),
    actions: (
      <GetButton href={`${base}${PATH}/new`} kind="primary">
        {words.create}
      </GetButton>
    ),
    children: (
      <>
        <p class="muted">
          {words.intro} <a href={GUIDE}>{words.guide}</a>
        </p>
        <List
          caption={words.title}
          isStacked
          items={imports}
          href={path}
          columns={[
            { label: words.begun, cell: ({ createdTime }) => <Time time={createdTime} /> },
            { label: words.file, cell: (one) => <a href={path(one)}>{nameOf(request, one)}</a> },
            { label: words.state, cell: (one) => <State of={one} /> },
            { label: words.lines, end: true, cell: (one) => progressOf(request, one) },
            { label: words.wrong, end: true, cell: ({ wrongCount }) => numberText(request, wrongCount) },
          ]}
          empty={{ title: words.empty, body: words.emptyBody }}
        />
      </>
    ),
  })
}

const nameOf = ({ texts }: AppRequest, { fileName }: Import): string =>
  shortText(fileName ?? undefined, NAME_SHOWN) ?? texts.moving.unnamed

const progressOf = (request: AppRequest, { doneCount, lineCount }: Import): string =>
  request.texts.moving.progress({
    done: numberText(request, doneCount),
    lines: numberText(request, lineCount),
  })

const PILLS = { waiting: '', running: 'blue', done: 'green', cancelled: '' } as const

function State({ of: { state, isDryRun } }: { readonly of: Import }) {
  const words = useRequest().texts.moving
  return (
    <>
      <span class={`pill ${PILLS[state]}`}>{words.states[state]}</span>
      {isDryRun && <span class="muted"> {words.isDryRun}</span>}
    </>
  )
}

interface WrongLines {
  readonly words: AppRequest['texts']['moving']
  readonly wrong: readonly WrongLine[]
  readonly text: (count: number) => string
}

const WrongList = ({ words, wrong, text }: WrongLines) => (
  <List
    caption={words.wrongTitle}
    items={wrong}
    columns={[
      { label: words.line, cell: ({ line }) => text(line) },
      {
        label: words.problem,
        cell: ({ problem }) => <span class="wrap">{problemText(words.problems, problem)}</span>,
      },
    ]}
    empty={{ title: words.noneWrong }}
  />
)

async function showOne(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, call, texts } = request
  const words = texts.moving
  const one = await getImport(ctx, app, call.params.importId ?? '')
  const wrong = await problemsOf(ctx, one, 0, SHOWN)
  const isOpen = one.state === 'waiting' || one.state === 'running'
  const path = `${base}${PATH}/${one.importId}`
  const { addedCount, doneCount, wrongCount } = one
  const known = doneCount - addedCount - wrongCount
  return renderScreen(request, {
    name: 'exports',
    title: nameOf(request, one),
    crumbs: crumbsOf(request),
    actions: isOpen ? (
      <>
        <GetButton href={path}>{words.refresh}</GetButton>
        <PostButton action={`${path}/cancel`} label={words.cancel}>
          {words.cancel}
        </PostButton>
      </>
    ) : undefined,
    children: (
      <>
        <Card>
          <KeyValue
            rows={[
              [words.state, <State of={one} />],
              [words.begun, <Time time={one.createdTime} />],
              [words.lines, progressOf(request, one)],
              [one.isDryRun ? words.wouldAdd : words.added, numberText(request, addedCount)],
              [words.unchanged, numberText(request, known)],
              [words.wrong, numberText(request, wrongCount)],
            ]}
          />
        </Card>
        <h2>{words.wrongTitle}</h2>
        {wrongCount > 0 && <p class="muted">{words.wrongIntro}</p>}
        {wrongCount > wrong.length && (
          <p class="muted">
            {words.moreWrong({
              shown: numberText(request, wrong.length),
              wrong: numberText(request, wrongCount),
            })}
          </p>
        )}
        <WrongList words={words} wrong={wrong} text={(count) => numberText(request, count)} />
      </>
    ),
  })
}

async function cancel(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, call } = request
  const { importId } = await cancelImport(ctx, app, call.params.importId ?? '')
  return seeOther(`${base}${PATH}/${importId}`)
}

async function renderForm(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { base, call, texts } = request
  const words = texts.moving
  const errors = errorsByField(problem)
  const error = errors.of('file')
  return renderScreen(request, {
    name: 'exports',
    title: words.newTitle,
    crumbs: crumbsOf(request),
    ...refused(request, problem),
    children: (
      <Form action={`${base}${PATH}/new`} hasFiles button={words.submit}>
        <div class="field">
          <label for="import-file">{words.file}</label>
          <div class="input import-file">
            <input
              id="import-file"
              name="file"
              type="file"
              accept=".csv,text/csv"
              required
              aria-describedby="import-file-hint import-file-error"
              aria-invalid={error ? 'true' : undefined}
            />
          </div>
          <p class="hint" id="import-file-hint">
            {words.fileHint} <a href={GUIDE}>{words.guide}</a>
          </p>
          <p class="error" id="import-file-error">
            {error}
          </p>
        </div>
        <Select
          id="mode"
          name="mode"
          label={words.mode}
          options={[
            { value: 'dry', label: words.dryRun },
            { value: 'real', label: words.real },
          ]}
          value={call.form.get('mode') ?? 'dry'}
        />
        <KeyField errors={errors} hint={words.sealingKeyHint} />
      </Form>
    ),
  })
}

interface KeyFieldProps {
  readonly errors: FormErrors
  readonly hint: string
}

/** Never shown again: it opens the tokens. */
function KeyField({ errors, hint }: KeyFieldProps) {
  const words = useRequest().texts.moving
  return (
    <Field
      id="sealingKey"
      name="sealingKey"
      type="password"
      label={words.sealingKey}
      hint={hint}
      {...errors.for('sealingKey')}
      ltr
      autoComplete="off"
      maxLength={64}
    />
  )
}

const send = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, app, base, call, texts } = request
      const file = call.files.get('file')
      if (!file || file.bytes.length === 0) throw invalid([{ field: 'file', message: texts.moving.noFile }])
      const { made } = await createImport(ctx, app, {
        ...{ bytes: file.bytes, name: file.name, isDryRun: call.form.get('mode') !== 'real' },
        sealingKey: call.form.get('sealingKey')?.trim() || undefined,
      })
      return seeOther(`${base}${PATH}/${made.importId}`)
    },
    (problem) => renderForm(request, problem),
  )

async function renderEverything(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { base, texts } = request
  const words = texts.moving
  const errors = errorsByField(problem)
  return renderScreen(request, {
    name: 'exports',
    title: words.everythingTitle,
    crumbs: crumbsOf(request, false),
    ...refused(request, problem),
    children: (
      <Form action={`${base}/exports/everything`} button={words.everythingSubmit}>
        <p>
          {words.everythingBody} <a href={`${GUIDE}#export-of-everything`}>{words.everythingGuide}</a>
        </p>
        <KeyField errors={errors} hint={words.newKeyHint} />
      </Form>
    ),
  })
}

const exportEverything = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, app, base, call } = request
      await createExport(ctx, app, {
        ...{ kind: 'everything', span: { from: undefined, to: appNow(ctx, app) } },
        sealingKey: call.form.get('sealingKey')?.trim(),
      })
      return seeOther(`${base}/exports?note=started`)
    },
    (problem) => renderEverything(request, problem),
  )
