import { DAY, HOUR, SECOND } from '../../../base/clock.ts'
import { type ApiError, invalid } from '../../../base/errors.ts'
import { readInstant } from '../../../http/wire.ts'
import { createKey, keyPage, revokeKey, rotateKey, type ShownKey } from '../../../merchants/keys/commands.ts'
import { DEFAULT_SCOPES, KEY_SCOPES, type KeyScope } from '../../../merchants/keys/scopes.ts'
import { listMembers } from '../../../people/members/members.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { CheckGroup } from '../../kit/html/choices.tsx'
import { Field, Select, type Wrong } from '../../kit/html/controls.tsx'
import { Question, QuestionButton } from '../../kit/html/forms.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { List, type ListColumn } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import { errorsByField, refused, retryForm } from '../../kit/refusal.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderSecret } from '../../kit/secret-page.tsx'
import type { ConsoleTexts } from '../../kit/texts/texts.ts'
import { renderTab } from './tabs.tsx'

const OVERLAPS = { none: 0, hour: HOUR / SECOND, day: DAY / SECOND, week: (7 * DAY) / SECOND } as const
type StoredKey = ShownKey['row']
type Overlap = keyof typeof OVERLAPS

export async function showKeys(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { developers } = texts
  const [{ items, hasNext }, members] = await Promise.all([
    keyPage(ctx, app, call.query.cursor),
    listMembers(ctx, app.licenseId),
  ])
  const names = new Map(members.map(({ person }) => [person.personId, person.name ?? person.email]))
  return renderTab(request, {
    tab: 'keys',
    actions: request.can('DeveloperWrite') && (
      <QuestionButton href={`${base}/developers/keys/new`} kind="primary">
        {developers.createKey}
      </QuestionButton>
    ),
    children: (
      <>
        <p class="muted">{developers.keysIntro}</p>
        <List
          id="keys"
          caption={developers.tabs.keys}
          items={items}
          columns={keyColumns(request, names)}
          next={hasNext ? items.at(-1)?.keyId : undefined}
        />
      </>
    ),
  })
}

/** The scopes of a key, in the words of the page that makes one. */
function scopesText({ developers }: ConsoleTexts, scopes: readonly string[] | null): string {
  const { everything, scopeNames } = developers
  if (scopes === null) return everything
  return scopes.map((scope) => scopeNames[scope as KeyScope] ?? scope).join(', ')
}

/** Whether the person may have what the key may do: a rolled key is shown. */
function mayGive({ ctx: { actor } }: AppRequest, { scopes }: StoredKey): boolean {
  if (actor?.grants === null) return true
  return scopes?.every((scope) => actor?.grants?.includes(scope)) ?? false
}

type Authors = ReadonlyMap<string, string>

/** `authors` are the people who made them, while they are members. */
function keyColumns({ texts, now }: AppRequest, authors: Authors): ListColumn<StoredKey>[] {
  const { developers } = texts
  const time = (value: Date | null) => (value ? <Time time={value} /> : developers.never)
  return [
    {
      label: developers.nameAccess,
      cell: ({ name, scopes }) => (
        <span class="key-name">
          <bdi>{name}</bdi>
          <span class="muted small">{scopesText(texts, scopes)}</span>
        </span>
      ),
    },
    { label: developers.key, cell: ({ hint }) => <code>{`sk_…${hint}`}</code> },
    { label: developers.created, cell: ({ createdTime }) => time(createdTime) },
    {
      label: developers.createdBy,
      cell: ({ createdBy }) => {
        const author = authors.get(createdBy ?? '')
        return author && <bdi>{shortText(author, NAME_SHOWN)}</bdi>
      },
    },
    {
      label: developers.lastUsed,
      cell: ({ lastUsedTime, lastUsedAddress }) => (
        <span class="key-name">
          {time(lastUsedTime)}
          {lastUsedAddress && <span class="muted small">{lastUsedAddress}</span>}
        </span>
      ),
    },
    { label: developers.expires, cell: ({ expiresTime }) => time(expiresTime) },
    { label: developers.state, cell: (key) => developers[stateOf(key, now)] },
    { label: texts.frame.more, isQuiet: true, cell: (key) => <KeyActions of={key} /> },
  ]
}

function stateOf({ revokedTime, expiresTime }: StoredKey, now: Date): 'active' | 'expired' | 'revoked' {
  if (revokedTime) return 'revoked'
  return expiresTime !== null && expiresTime <= now ? 'expired' : 'active'
}

function KeyActions({ of: key }: { readonly of: StoredKey }) {
  const request = useRequest()
  const { developers } = request.texts
  if (stateOf(key, request.now) !== 'active' || !request.can('DeveloperWrite')) return null
  return (
    <span class="buttons">
      {(['rotate', 'revoke'] as const).map((action) => (
        <QuestionButton
          href={`${request.base}/developers/keys/${key.keyId}/${action}`}
          label={`${developers[action]} ${key.name}`}
          disabled={action === 'revoke' || mayGive(request, key) ? undefined : developers.moreThanYours}
        >
          {developers[action]}
        </QuestionButton>
      ))}
    </span>
  )
}

const crumbs = ({ base, texts }: AppRequest) => [
  { label: texts.developers.title, href: `${base}/developers/keys` },
]

/** The only page that shows the key. */
const showSecret = (request: AppRequest, { apiKey, row }: ShownKey): PageAnswer => {
  const { developers } = request.texts
  return renderSecret(request, {
    name: 'developers',
    title: developers.keyShown,
    crumbs: crumbs(request),
    intro: (
      <>
        <p>
          <bdi>{row.name}</bdi>
        </p>
        <p>{developers.keyShownBody}</p>
      </>
    ),
    secret: apiKey,
    label: developers.key,
    more: (
      <>
        <h2>{developers.envSnippet}</h2>
        <CopyText text={`TENDER_KEY=${apiKey}`} label={developers.envSnippet} />
      </>
    ),
    button: developers.keyStored,
    next: `${request.base}/developers/keys`,
  })
}

async function namedKey({ ctx, app, call }: AppRequest): Promise<string> {
  const { items } = await keyPage(ctx, app, undefined)
  return items.find((key) => key.keyId === call.params.keyId)?.name ?? call.params.keyId ?? ''
}

const OF_KEY = { back: '/developers/keys', subject: namedKey } as const

export const keyQuestions: readonly ScreenRoute[] = [
  ...question('/developers/keys/{keyId}/rotate', proof('DeveloperWrite'), {
    ...OF_KEY,
    texts: ({ developers }, name) => ({
      title: developers.rotateTitle({ name }),
      body: developers.rotateBody,
      button: developers.rotate,
    }),
    fields: ({ texts: { developers } }) => (
      <Select
        id="overlap"
        name="overlap"
        label={developers.overlap}
        value="day"
        options={(Object.keys(OVERLAPS) as Overlap[]).map((value) => ({
          value,
          label: developers.overlaps[value],
        }))}
      />
    ),
    run: async (request) => {
      const { ctx, app, call } = request
      const overlap = OVERLAPS[(call.form.get('overlap') ?? 'day') as Overlap] ?? OVERLAPS.day
      return showSecret(request, await rotateKey(ctx, app, call.params.keyId ?? '', overlap))
    },
  }),
  ...question('/developers/keys/{keyId}/revoke', proof('DeveloperWrite'), {
    ...OF_KEY,
    kind: 'danger',
    texts: ({ developers }, name) => ({
      title: developers.revokeTitle({ name }),
      body: developers.revokeBody,
      button: developers.revoke,
    }),
    run: async ({ ctx, app, call }) => {
      await revokeKey(ctx, app, call.params.keyId ?? '')
      return 'revoked'
    },
  }),
]

const ACCESS = ['limited', 'all'] as const

export function showNewKey(request: AppRequest, problem?: ApiError): PageAnswer {
  const { texts, base, call } = request
  const { developers } = texts
  const errors = errorsByField(problem)
  return renderScreen(request, {
    name: 'developers',
    title: developers.createKey,
    crumbs: crumbs(request),
    ...refused(request, problem),
    children: (
      <Question
        action={`${base}/developers/keys`}
        button={developers.createKey}
        back={`${base}/developers/keys`}
      >
        <Field
          id="key-name"
          name="name"
          label={developers.keyName}
          hint={developers.keyNameHint}
          value={call.form.get('name') ?? call.query.name ?? ''}
          maxLength={100}
          required
        />
        <AccessFields error={errors.for('scopes').error} />
        <Field
          id="key-expires"
          name="expires"
          type="date"
          label={developers.keyExpires}
          hint={developers.keyExpiresHint}
          value={call.form.get('expires') ?? ''}
          {...errors.for('expiresTime')}
        />
      </Question>
    ),
  })
}

/**
 * What the person may give: full access, or scopes within the own role. The scopes are shown while the access
 * is limited; by style alone, so without script too.
 */
function AccessFields({ error }: { readonly error: Wrong | undefined }) {
  const { call, ctx, texts } = useRequest()
  const { developers } = texts
  const grants = ctx.actor?.grants
  // A page that needs a key for something names its scopes.
  const asked = call.query.scopes?.split(',') ?? DEFAULT_SCOPES
  const ticked: readonly string[] = call.isPost ? call.fieldsOf('scope') : asked
  return (
    <div class="stack key-access">
      <Select
        id="key-access"
        name="access"
        label={developers.access}
        value={call.form.get('access') ?? 'limited'}
        options={ACCESS.filter((value) => value === 'limited' || grants === null).map((value) => ({
          value,
          label: developers.accessKinds[value],
        }))}
      />
      <CheckGroup
        legend={developers.scopes}
        name="scope"
        error={error}
        choices={KEY_SCOPES.filter((scope) => grants === null || grants?.includes(scope)).map((scope) => ({
          value: scope,
          label: (
            <>
              {developers.scopeNames[scope]}
              <span class="muted small"> · {developers.scopeHints[scope]}</span>
            </>
          ),
          isChecked: ticked.includes(scope),
        }))}
      />
    </div>
  )
}

function readScopes({ call, texts }: AppRequest): readonly KeyScope[] | null {
  if (call.form.get('access') === 'all') return null
  const ticked = call.fieldsOf('scope')
  const scopes = KEY_SCOPES.filter((scope) => ticked.includes(scope))
  if (scopes.length === 0) throw invalid([{ field: 'scopes', message: texts.developers.noScopes }])
  return scopes
}

export function postNewKey(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const name = (call.form.get('name') ?? '').trim().slice(0, 100) || 'API key'
  const day = call.form.get('expires') ?? ''
  const expiresTime = day === '' ? null : (readInstant(`${day}T23:59:59Z`) ?? null)
  return retryForm(
    async () =>
      showSecret(request, await createKey(ctx, app, { name, expiresTime, scopes: readScopes(request) })),
    (problem) => showNewKey(request, problem),
  )
}
