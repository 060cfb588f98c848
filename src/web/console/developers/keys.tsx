import { DAY, HOUR, SECOND } from '../../../base/clock.ts'
import { keyPage, revokeKey, rotateKey, type ShownKey } from '../../../merchants/keys/commands.ts'
import type { KeyScope } from '../../../merchants/keys/scopes.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Button, Select } from '../../kit/html/controls.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { listMembers } from '../../../people/members/members.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { Ask, AskButton } from '../parts/forms.tsx'
import { Pager, Table } from '../parts/table.tsx'
import { CopyText } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { drawTab } from './tabs.tsx'

const OVERLAPS = { none: 0, hour: HOUR / SECOND, day: DAY / SECOND, week: (7 * DAY) / SECOND } as const
type StoredKey = ShownKey['row']
type Overlap = keyof typeof OVERLAPS

export async function showKeys(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const { developers } = texts
  const [{ items, hasNext }, members] = await Promise.all([
    keyPage(ctx, app, call.query.cursor),
    listMembers(ctx, app.licenseId),
  ])
  const names = new Map(members.map(({ person }) => [person.personId, person.name ?? person.email]))
  return drawTab(visit, {
    tab: 'keys',
    flash: call.query.note === 'revoked' ? { kind: 'ok', text: developers.keyRevoked } : undefined,
    actions: visit.can('DeveloperWrite') && (
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
          rows={items.map((key) => ({ cells: keyCells(visit, key, names.get(key.createdBy ?? '')) }))}
        />
        <Pager visit={visit} next={hasNext ? items.at(-1)?.keyId : undefined} />
      </>
    ),
  })
}

/** The scopes of a key, in the words of the page that makes one. */
function scopesText({ texts }: AppVisit, scopes: readonly string[] | null): string {
  const { everything, scopeNames } = texts.developers
  if (scopes === null) return everything
  return scopes.map((scope) => scopeNames[scope as KeyScope] ?? scope).join(', ')
}

/** Whether the person may have what the key may do: a rolled key is shown. */
function mayGive({ ctx: { actor } }: AppVisit, { scopes }: StoredKey): boolean {
  if (actor?.grants === null) return true
  return scopes?.every((scope) => actor?.grants?.includes(scope)) ?? false
}

/** `author` is the person who made it, while a member. */
function keyCells(visit: AppVisit, key: StoredKey, author: string | undefined) {
  const { texts, base, now } = visit
  const { developers } = texts
  const time = (value: Date | null) => (value ? <Time visit={visit} time={value} /> : developers.never)
  const isExpired = key.expiresTime !== null && key.expiresTime <= now
  const isActive = key.revokedTime === null && !isExpired
  const state = key.revokedTime ? developers.revoked : isExpired ? developers.expired : developers.active
  return [
    <span class="key-name">
      <bdi>{key.name}</bdi>
      <span class="muted small">{scopesText(visit, key.scopes)}</span>
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
    isActive && visit.can('DeveloperWrite') && (
      <span class="buttons">
        {(['rotate', 'revoke'] as const).map((action) => (
          <AskButton
            href={`${base}/developers/keys/${key.keyId}/${action}`}
            label={`${developers[action]} ${key.name}`}
            disabled={action === 'revoke' || mayGive(visit, key) ? undefined : developers.moreThanYours}
          >
            {developers[action]}
          </AskButton>
        ))}
      </span>
    ),
  ]
}

export const crumbs = ({ base, texts }: AppVisit) => [
  { label: texts.developers.title, href: `${base}/developers/keys` },
]

/** The only page that shows the key. */
export function showSecret(visit: AppVisit, { apiKey, row }: ShownKey): PageAnswer {
  const { texts, base } = visit
  const { developers } = texts
  return drawScreen(visit, {
    name: 'developers',
    title: developers.keyShown,
    crumbs: crumbs(visit),
    children: (
      <section class="card form-card stack">
        <p>
          <bdi>{row.name}</bdi>
        </p>
        <p>{developers.keyShownBody}</p>
        <CopyText visit={visit} text={apiKey} label={developers.key} />
        <h2>{developers.envSnippet}</h2>
        <CopyText visit={visit} text={`TENDER_KEY=${apiKey}`} label={developers.envSnippet} />
        <form method="get" action={`${base}/developers/keys`}>
          <Button>{developers.keyStored}</Button>
        </form>
      </section>
    ),
  })
}

async function namedKey({ ctx, app, call }: AppVisit): Promise<string> {
  const { items } = await keyPage(ctx, app, undefined)
  return items.find((key) => key.keyId === call.params.keyId)?.name ?? call.params.keyId ?? ''
}

export async function askRotate(visit: AppVisit): Promise<PageAnswer> {
  const { texts, base, call } = visit
  const { developers } = texts
  return drawScreen(visit, {
    name: 'developers',
    title: developers.rotateTitle(await namedKey(visit)),
    crumbs: crumbs(visit),
    children: (
      <Ask
        visit={visit}
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
      </Ask>
    ),
  })
}

export async function postRotate(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const overlap = OVERLAPS[(call.form.get('overlap') ?? 'day') as Overlap] ?? OVERLAPS.day
  return showSecret(visit, await rotateKey(ctx, app, call.params.keyId ?? '', overlap))
}

export async function askRevoke(visit: AppVisit): Promise<PageAnswer> {
  const { texts, base, call } = visit
  const { developers } = texts
  return drawScreen(visit, {
    name: 'developers',
    title: developers.revokeTitle(await namedKey(visit)),
    crumbs: crumbs(visit),
    children: (
      <Ask
        visit={visit}
        action={`${base}/developers/keys/${call.params.keyId}/revoke`}
        button={developers.revoke}
        kind="danger"
        back={`${base}/developers/keys`}
      >
        <p>{developers.revokeBody}</p>
      </Ask>
    ),
  })
}

export async function postRevoke({ ctx, app, call, base }: AppVisit): Promise<PageAnswer> {
  await revokeKey(ctx, app, call.params.keyId ?? '')
  return seeOther(`${base}/developers/keys?note=revoked`)
}
