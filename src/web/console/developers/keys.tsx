import { DAY, HOUR, SECOND } from '../../../base/clock.ts'
import { keyPage, revokeKey, rotateKey, type ShownKey } from '../../../merchants/keys/commands.ts'
import type { KeyScope } from '../../../merchants/keys/scopes.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Button, Select } from '../../kit/html/controls.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { listMembers } from '../../../people/members/members.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Question, AskButton } from '../../kit/html/forms.tsx'
import { Pager, Table } from '../../kit/list.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { Time } from '../../kit/format/time.tsx'
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
    flash: call.query.note === 'revoked' ? { kind: 'ok', text: developers.keyRevoked } : undefined,
    actions: request.can('DeveloperWrite') && (
      <AskButton href={`${base}/developers/keys/new`} kind="primary">
        {developers.createKey}
      </AskButton>
    ),
    children: (
      <>
        <p class="muted">{developers.keysIntro}</p>
        <Table
          id="keys"
          caption={developers.tabs.keys}
          columns={[
            { label: developers.nameAccess },
            { label: developers.key },
            { label: developers.created },
            { label: developers.createdBy },
            { label: developers.lastUsed },
            { label: developers.expires },
            { label: developers.state },
            { label: texts.frame.more, isQuiet: true },
          ]}
          rows={items.map((key) => ({ cells: keyCells(request, key, names.get(key.createdBy ?? '')) }))}
        />
        <Pager next={hasNext ? items.at(-1)?.keyId : undefined} />
      </>
    ),
  })
}

/** The scopes of a key, in the words of the page that makes one. */
function scopesText({ texts }: AppRequest, scopes: readonly string[] | null): string {
  const { everything, scopeNames } = texts.developers
  if (scopes === null) return everything
  return scopes.map((scope) => scopeNames[scope as KeyScope] ?? scope).join(', ')
}

/** Whether the person may have what the key may do: a rolled key is shown. */
function mayGive({ ctx: { actor } }: AppRequest, { scopes }: StoredKey): boolean {
  if (actor?.grants === null) return true
  return scopes?.every((scope) => actor?.grants?.includes(scope)) ?? false
}

/** `author` is the person who made it, while a member. */
function keyCells(request: AppRequest, key: StoredKey, author: string | undefined) {
  const { texts, base, now } = request
  const { developers } = texts
  const time = (value: Date | null) => (value ? <Time time={value} /> : developers.never)
  const isExpired = key.expiresTime !== null && key.expiresTime <= now
  const isActive = key.revokedTime === null && !isExpired
  const state = key.revokedTime ? developers.revoked : isExpired ? developers.expired : developers.active
  return [
    <span class="key-name">
      <bdi>{key.name}</bdi>
      <span class="muted small">{scopesText(request, key.scopes)}</span>
    </span>,
    <code>{`sk_…${key.hint}`}</code>,
    time(key.createdTime),
    author && <bdi>{shortText(author, NAME_SHOWN)}</bdi>,
    <span class="key-name">
      {time(key.lastUsedTime)}
      {key.lastUsedAddress && <span class="muted small">{key.lastUsedAddress}</span>}
    </span>,
    time(key.expiresTime),
    state,
    isActive && request.can('DeveloperWrite') && (
      <span class="buttons">
        {(['rotate', 'revoke'] as const).map((action) => (
          <AskButton
            href={`${base}/developers/keys/${key.keyId}/${action}`}
            label={`${developers[action]} ${key.name}`}
            disabled={action === 'revoke' || mayGive(request, key) ? undefined : developers.moreThanYours}
          >
            {developers[action]}
          </AskButton>
        ))}
      </span>
    ),
  ]
}

export const crumbs = ({ base, texts }: AppRequest) => [
  { label: texts.developers.title, href: `${base}/developers/keys` },
]

/** The only page that shows the key. */
export function showSecret(request: AppRequest, { apiKey, row }: ShownKey): PageAnswer {
  const { texts, base } = request
  const { developers } = texts
  return renderScreen(request, {
    name: 'developers',
    title: developers.keyShown,
    crumbs: crumbs(request),
    children: (
      <section class="card form-card stack">
        <p>
          <bdi>{row.name}</bdi>
        </p>
        <p>{developers.keyShownBody}</p>
        <CopyText text={apiKey} label={developers.key} />
        <h2>{developers.envSnippet}</h2>
        <CopyText text={`TENDER_KEY=${apiKey}`} label={developers.envSnippet} />
        <form method="get" action={`${base}/developers/keys`}>
          <Button>{developers.keyStored}</Button>
        </form>
      </section>
    ),
  })
}

async function namedKey({ ctx, app, call }: AppRequest): Promise<string> {
  const { items } = await keyPage(ctx, app, undefined)
  return items.find((key) => key.keyId === call.params.keyId)?.name ?? call.params.keyId ?? ''
}

export async function askRotate(request: AppRequest): Promise<PageAnswer> {
  const { texts, base, call } = request
  const { developers } = texts
  return renderScreen(request, {
    name: 'developers',
    title: developers.rotateTitle(await namedKey(request)),
    crumbs: crumbs(request),
    children: (
      <Question
        action={`${base}/developers/keys/${call.params.keyId}/rotate`}
        button={developers.rotate}
        back={`${base}/developers/keys`}
      >
        <p>{developers.rotateBody}</p>
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
      </Question>
    ),
  })
}

export async function postRotate(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const overlap = OVERLAPS[(call.form.get('overlap') ?? 'day') as Overlap] ?? OVERLAPS.day
  return showSecret(request, await rotateKey(ctx, app, call.params.keyId ?? '', overlap))
}

export async function askRevoke(request: AppRequest): Promise<PageAnswer> {
  const { texts, base, call } = request
  const { developers } = texts
  return renderScreen(request, {
    name: 'developers',
    title: developers.revokeTitle(await namedKey(request)),
    crumbs: crumbs(request),
    children: (
      <Question
        action={`${base}/developers/keys/${call.params.keyId}/revoke`}
        button={developers.revoke}
        kind="danger"
        back={`${base}/developers/keys`}
      >
        <p>{developers.revokeBody}</p>
      </Question>
    ),
  })
}

export async function postRevoke({ ctx, app, call, base }: AppRequest): Promise<PageAnswer> {
  await revokeKey(ctx, app, call.params.keyId ?? '')
  return seeOther(`${base}/developers/keys?note=revoked`)
}
