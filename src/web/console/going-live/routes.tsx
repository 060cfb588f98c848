import { auditEntries } from '../../../audit/audit.ts'
import { type GoingLiveItem, goingLive, type ItemState } from '../../../going-live/going-live.ts'
import { timeIn } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Icon } from '../../kit/html/icons.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import type { ConsoleTexts } from '../../kit/texts/texts.ts'

/** The list of what a live app should have. A sandbox app has its first steps on the overview instead. */

export const goingLiveScreens = (): ScreenRoute[] => [app('GET', '/going-live', 'DashboardRead', show)]

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts } = request
  if (app.isSandbox) return seeOther(`${base}/overview`)
  const items = await goingLive(ctx, app)
  return renderScreen(request, {
    name: 'overview',
    title: texts.goingLive.title,
    crumbs: [{ label: texts.overview.title, href: `${base}/overview` }],
    children: <GoingLiveList items={items} isPage />,
  })
}

interface ItemsProps {
  readonly items: readonly ItemState[]
}

/** The page where an item is solved: below the app, or a guide for the operator of the installation. */
const WAYS: Readonly<Record<GoingLiveItem, string>> = {
  provider: 'providers',
  notification: 'providers',
  address: '/docs/guides/operate#production',
  webhook: 'developers/webhooks',
  mail: '/docs/guides/e-mails',
  secondFactor: 'team',
  fraud: 'fraud',
  branding: 'settings/checkout',
  backup: '/docs/guides/operate#backups',
  payment: 'links/new',
}

function wayOf({ base, mayUse }: AppRequest, item: GoingLiveItem): string | undefined {
  const way = WAYS[item]
  if (way.startsWith('/')) return way
  return mayUse('GET', `/${way}`) ? `${base}/${way}` : undefined
}

interface ListProps extends ItemsProps {
  /** The page has the title. */
  readonly isPage?: true
}

export function GoingLiveList({ items, isPage }: ListProps) {
  const { goingLive: words } = useRequest().texts
  const progress = progressText(words, items)
  return (
    <Card title={isPage ? progress : words.title}>
      <p class="muted">{words.intro}</p>
      {!isPage && <b>{progress}</b>}
      <ol class="setup">
        {items.map((state) => (
          <Item {...state} />
        ))}
      </ol>
    </Card>
  )
}

function progressText(words: ConsoleTexts['goingLive'], items: readonly ItemState[]): string {
  const done = items.filter(({ isDone }) => isDone).length
  return done === items.length ? words.complete : words.progress({ done, count: items.length })
}

function Item({ item, isDone, missing, time }: ItemState) {
  const request = useRequest()
  const { goingLive: words } = request.texts
  const { title, how, way } = words.items[item]
  const href = wayOf(request, item)
  const list = new Intl.ListFormat(request.language.intl, { type: 'conjunction' })
  return (
    <li class={isDone ? 'done' : undefined} data-item={item} data-state={isDone ? 'done' : 'open'}>
      <h3>
        {isDone && <Icon name="check" />}
        {title} <small class={`pill ${isDone ? 'green' : 'amber'}`}>{isDone ? words.done : words.open}</small>
      </h3>
      {missing.length > 0 && (
        <p>{words.stillOpen({ parts: list.format(missing.map((part) => words.parts[part])) })}</p>
      )}
      <p class="muted small">
        {how} {time && words.last({ time: timeIn(request, time, 'minute') })}
      </p>
      {href && <a href={href}>{way}</a>}
    </li>
  )
}

/** One line for the overview of an app that is in use. Nothing when all is done. */
export function GoingLiveHint({ items }: ItemsProps) {
  const { base, texts } = useRequest()
  const { goingLive: words } = texts
  if (items.every(({ isDone }) => isDone)) return null
  return (
    <Card title={words.title}>
      <p>
        <b>{progressText(words, items)}</b> <a href={`${base}/going-live`}>{words.show}</a>
      </p>
    </Card>
  )
}

/** What is open, for the form of the first payment link of a live app. */
export async function firstLinkNotice(request: AppRequest) {
  const { ctx, app, base, texts } = request
  if (app.isSandbox) return null
  const { goingLive: words } = texts
  const made = await auditEntries(ctx, app.licenseId, { appId: app.appId, action: 'link.created', limit: 1 })
  const open = made.length > 0 ? [] : (await goingLive(ctx, app)).filter(({ isDone }) => !isDone)
  if (open.length === 0) return null
  return (
    <Notice kind="info" title={words.firstLink}>
      <p>{words.firstLinkBody({ count: open.length })}</p>
      <ul>
        {open.map(({ item }) => (
          <li>{words.items[item].title}</li>
        ))}
      </ul>
      <p>
        <a href={`${base}/going-live`}>{words.show}</a>
      </p>
    </Notice>
  )
}
