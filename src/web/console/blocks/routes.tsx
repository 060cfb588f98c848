import { type ApiError, invalid, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { mistakeIn } from '../../../base/mistakes.ts'
import {
  addBlocks,
  type BlockEntry,
  blockPage,
  getBlock,
  removeBlock,
} from '../../../fraud/blocks/commands.ts'
import { BLOCK_KINDS, type BlockKind } from '../../../fraud/verdict.ts'
import { readId } from '../../../http/wire.ts'
import { appNow } from '../../../merchants/app.ts'
import { choice, Fields, type FormField, lines } from '../../kit/form.tsx'
import { countryName } from '../../kit/format/names.ts'
import { ENTRY_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Form, QuestionButton } from '../../kit/html/forms.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { CustomerLink } from '../../kit/html/text.tsx'
import { Filter, List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import { retryForm, sentenceErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { fraudTabs } from '../fraud/tabs.ts'
import { blockQuestions, endOf, REASON_FIELDS } from './choose.tsx'

const PATH = '/fraud/blocks'
const PAGE_SIZE = 50

export const blocksScreens = (): ScreenRoute[] => [
  app('GET', PATH, 'FraudPolicyRead', (request) => render(request)),
  app('POST', PATH, 'FraudPolicyWrite', add, { formBytes: LIMITS.longFormBytes }),
  ...question(`${PATH}/{entryId}/remove`, 'FraudPolicyWrite', {
    kind: 'danger',
    screen: 'blocks',
    back: PATH,
    subject: entryOf,
    texts: ({ blocks }, { entryId, kind, value, isAllowed }) => ({
      title: blocks.removeTitle({ entry: String(entryId) }),
      body: (isAllowed ? blocks.removeAllowed : blocks.removeBody)({
        kind: blocks.kinds[kind],
        value: shortText(value ?? blocks.erased, NAME_SHOWN) ?? '',
      }),
      button: blocks.removeOne({ entry: String(entryId) }),
    }),
    run: async (request, { entryId }) => {
      await removeBlock(request.ctx, request.app, entryId)
      return 'unblocked'
    },
  }),
  ...blockQuestions(),
]

function entryOf({ ctx, app, call }: AppRequest): Promise<BlockEntry> {
  const entryId = readId(call.params.entryId ?? '')
  if (entryId === undefined) throw notFound('The entry')
  return getBlock(ctx, app, entryId)
}

const kindOptions = ({ texts: { blocks } }: AppRequest) =>
  BLOCK_KINDS.map((kind) => ({ value: kind, label: blocks.kinds[kind] }))

const isKind = (text: string | undefined): text is BlockKind => BLOCK_KINDS.some((kind) => kind === text)

async function render(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, base, call, texts } = request
  const { blocks } = texts
  const kind = isKind(call.query.kind) ? call.query.kind : undefined
  const before = readId(call.query.cursor ?? '')
  const page = await blockPage(ctx, app, { kind, before }, PAGE_SIZE)
  return renderScreen(request, {
    name: 'fraud',
    title: blocks.title,
    tabs: fraudTabs(request, 'blocks'),
    status: problem?.status ?? 200,
    children: (
      <>
        <p class="muted">{blocks.intro}</p>
        <Filter
          name="blocks"
          action={base + PATH}
          fields={[{ name: 'kind', label: blocks.kind, any: blocks.anyKind, options: kindOptions(request) }]}
          button={blocks.show}
        />
        <Entries
          items={page.items}
          next={page.hasNext ? String(page.items.at(-1)?.entryId) : undefined}
          isFiltered={kind !== undefined}
        />
        {request.can('FraudPolicyWrite') && <AddEntries problem={problem} />}
      </>
    ),
  })
}

interface EntriesProps {
  readonly items: readonly BlockEntry[]
  readonly next: string | undefined
  readonly isFiltered: boolean
}

function Entries({ items, next, isFiltered }: EntriesProps) {
  const request = useRequest()
  const { ctx, app, base, texts } = request
  const { blocks } = texts
  const now = appNow(ctx, app)
  return (
    <List
      caption={blocks.title}
      isStacked
      items={items}
      next={next}
      empty={isFiltered ? { title: blocks.emptyFiltered } : { title: blocks.empty, body: blocks.emptyBody }}
      columns={[
        {
          label: blocks.kind,
          cell: ({ kind, isAllowed }) => (
            <>
              {blocks.kinds[kind]}
              <div>
                <Effect isAllowed={isAllowed} />
              </div>
            </>
          ),
        },
        { label: blocks.value, cell: (entry) => <Value entry={entry} /> },
        {
          label: blocks.reason,
          cell: ({ reason, paymentId }) => (
            <span class="block-reason">
              {shortText(reason ?? undefined, ENTRY_SHOWN) ?? (paymentId === null && '–')}{' '}
              {paymentId !== null && (
                <a href={`${base}/payments/${paymentId}`}>{blocks.from({ payment: String(paymentId) })}</a>
              )}
            </span>
          ),
        },
        {
          label: blocks.added,
          isTime: true,
          cell: ({ createdBy, createdTime }) => (
            <>
              <Time time={createdTime} style="day" />
              {createdBy && <small class="muted">{shortText(createdBy, NAME_SHOWN)}</small>}
            </>
          ),
        },
        {
          label: blocks.ends,
          cell: ({ endTime }) =>
            endTime === null ? blocks.never : endTime <= now ? blocks.ended : <Time time={endTime} />,
        },
        request.can('FraudPolicyWrite') && {
          label: blocks.remove,
          isQuiet: true,
          cell: ({ entryId }) => <Remove entryId={entryId} />,
        },
      ]}
    />
  )
}

function Remove({ entryId }: Pick<BlockEntry, 'entryId'>) {
  const { base, texts } = useRequest()
  const { blocks } = texts
  return (
    <QuestionButton
      href={`${base}${PATH}/${entryId}/remove`}
      label={blocks.removeOne({ entry: String(entryId) })}
    >
      {blocks.remove}
    </QuestionButton>
  )
}

function Effect({ isAllowed }: Pick<BlockEntry, 'isAllowed'>) {
  const { effects } = useRequest().texts.blocks
  return (
    <span class={`pill ${isAllowed ? 'green' : 'red'}`}>{isAllowed ? effects.allow : effects.block}</span>
  )
}

function Value({ entry: { kind, value } }: { readonly entry: BlockEntry }) {
  const request = useRequest()
  if (value === null) return <span class="muted">{request.texts.blocks.erased}</span>
  const shown = <bdi>{shortText(kind === 'Country' ? countryName(request, value) : value, NAME_SHOWN)}</bdi>
  return kind === 'Customer' ? <CustomerLink customerId={value}>{shown}</CustomerLink> : shown
}

const effectOptions = ({ texts: { blocks } }: AppRequest) =>
  (['block', 'allow'] as const).map((value) => ({ value, label: blocks.effects[value] }))

const FIELDS: readonly FormField[] = [
  choice('effect', effectOptions),
  choice('kind', kindOptions),
  lines('values', { rows: 5, required: true, maxLength: 60_000 }),
  ...REASON_FIELDS,
]

function AddEntries({ problem }: { readonly problem: ApiError | undefined }) {
  const request = useRequest()
  const { base, call, texts } = request
  const { blocks } = texts
  const errors = sentenceErrors(request, problem)
  return (
    <Card title={blocks.add} class="form-card" id="add">
      <Form action={base + PATH} button={blocks.addEntries}>
        <WrongLines problem={problem} />
        {errors.message !== '' && errors.size === 0 && <Notice kind="bad" title={errors.message} />}
        <Fields
          fields={FIELDS}
          texts={blocks.fields}
          values={{ kind: call.query.kind ?? '', ...Object.fromEntries(call.form) }}
          errors={{ ...errors, for: (field) => (field === 'values' ? {} : errors.for(field)) }}
          choices={{ kind: kindOptions(request), effect: effectOptions(request) }}
        />
      </Form>
    </Card>
  )
}

const SHOWN_LINES = 20

/** Every line that is wrong, each with its reason. Nothing was added then. */
function WrongLines({ problem }: { readonly problem: ApiError | undefined }) {
  const { texts } = useRequest()
  const { blocks, mistakes } = texts
  const wrong = (problem?.extras.errors ?? []).filter(({ field }) => field.startsWith('values'))
  if (wrong.length === 0) return null
  const sentences = wrong.slice(0, SHOWN_LINES).map(({ field, message, mistake }) => {
    const line = /\d+/.exec(field)?.[0]
    return mistake && line ? mistakeIn(mistakes, blocks.line({ line }), mistake) : message
  })
  const more = wrong.length - SHOWN_LINES
  return (
    <Notice kind="bad" title={texts.frame.correct}>
      <ul>
        {sentences.map((sentence) => (
          <li>{sentence}</li>
        ))}
        {more > 0 && <li>{blocks.moreLines({ count: more })}</li>}
      </ul>
    </Notice>
  )
}

const MAX_LINES = 1_000

/** All lines, or none. Fields are named by their lines, from 1. */
function linesOf({ call, texts }: AppRequest, kind: BlockKind) {
  const typed = (call.form.get('values') ?? '').split(/\r?\n/)
  const wanted = typed.flatMap((value, place) =>
    value.trim() === '' ? [] : [{ kind, value, field: `values[${place + 1}]` }],
  )
  if (wanted.length > MAX_LINES)
    throw invalid([{ field: 'values', message: texts.blocks.tooMany({ most: MAX_LINES }) }])
  return wanted.length > 0 ? wanted : [{ kind, value: '', field: 'values[1]' }]
}

const add = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, app, base, call } = request
      const kind = call.form.get('kind')
      const wanted = linesOf(request, isKind(kind) ? kind : 'Email')
      const isAllowed = call.form.get('effect') === 'allow'
      const details = { isAllowed, reason: call.form.get('reason'), endTime: endOf(request) }
      const { length } = await addBlocks(ctx, app, wanted, details)
      return seeOther(`${base}${PATH}?note=${isAllowed ? 'allowed' : 'blocked'}&count=${length}`)
    },
    (problem) => render(request, problem),
  )
