import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { ApiError } from '../../../base/errors.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import { timeIn } from '../format/time.tsx'
import { Hidden } from '../html/controls.tsx'
import { pageHeaders } from '../html/headers.ts'
import { Notice, Statement } from '../html/layout.tsx'
import { type TabLink, Tabs } from '../html/text.tsx'
import { refusalText } from '../refusal.ts'
import type { PageAnswer } from '../request/answer.ts'
import { type Flash as Message, noteOf, PageOf, usePersonRequest } from '../screen.tsx'
import { Bell } from './bell.tsx'
import { Dock } from './dock.tsx'
import { AccountMenu, sameScreen } from './menus.tsx'
import { Palette } from './palette.tsx'
import { Rail } from './rail.tsx'
import type { OpenRequest, PersonRequest } from './request.ts'

export interface Crumb {
  readonly label: string
  readonly href: string
}

export interface ScreenProps {
  /** Name of the screen: marks its entry in the menu, selects script behaviour. */
  readonly name: string
  readonly title: string
  /** What the page's first heading shows; the title by default. */
  readonly heading?: ComponentChildren
  /** Pages above this one. */
  readonly crumbs?: readonly Crumb[]
  /** The pages beside this one, as links above the content. */
  readonly tabs?: readonly TabLink[]
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren
  /** A message about what the last form did; the note of the address by default. */
  readonly flash?: Message | undefined
  /** Why the last form was refused: its sentence and the status. */
  readonly problem?: ApiError | undefined
  readonly children: ComponentChildren
  readonly status?: number
  readonly data?: Readonly<Record<`data-${string}`, string>>
  /** Origins that the page may embed, for the preview of the checkout. */
  readonly frameOrigins?: readonly string[]
  /** Other origins that the page's forms may lead to. */
  readonly formOrigins?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A page inside the frame: menu, top bar, title, content. */
export function renderScreen(request: PersonRequest, given: ScreenProps): PageAnswer {
  const { problem } = given
  const flash: Message | undefined = problem
    ? { kind: 'bad', text: refusalText(request, problem) }
    : noteOf(request, given.name)
  const props = { ...given, flash: given.flash ?? flash, status: given.status ?? problem?.status ?? 200 }
  const { person } = request
  return respond(request, props, {
    theme: person.theme,
    data: { 'data-shortcuts': person.hasShortcuts ? 'on' : 'off', ...props.data },
    body: <Frame props={props} />,
  })
}

/** A page without the frame, for people who are not signed in. */
export function renderPlain(request: OpenRequest, props: ScreenProps): PageAnswer {
  const body = (
    <main id="main" class="plain" tabIndex={-1}>
      <p class="plain-brand">{request.texts.frame.product}</p>
      <h1>{props.title}</h1>
      <Flash flash={props.flash} />
      {props.children}
    </main>
  )
  return respond(request, props, { theme: null, data: props.data ?? {}, body })
}

interface Drawing {
  readonly theme: 'light' | 'dark' | null
  readonly data: Readonly<Record<`data-${string}`, string>>
  readonly body: ComponentChildren
}

function respond(request: OpenRequest, props: ScreenProps, { theme, data, body }: Drawing): PageAnswer {
  const { language, assets, texts } = request
  const { frameOrigins = [], formOrigins = [] } = props
  const html = renderToString(
    <html lang={language.locale} dir={language.dir} data-theme={theme ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${props.title} · ${texts.frame.product}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assets.style.path} />
        <script type="module" src={assets.script.path} />
      </head>
      <body data-page={props.name} data-copied={texts.frame.copied} {...data}>
        <a class="skip" href="#main">
          {texts.frame.skip}
        </a>
        <PageOf request={request}>{body}</PageOf>
      </body>
    </html>,
  )
  return {
    html: `<!doctype html>${html}`,
    status: props.status ?? 200,
    headers: { ...pageHeaders({ frameOrigins, formOrigins }), ...props.headers },
  }
}

function Frame({ props }: { readonly props: ScreenProps }) {
  const request = usePersonRequest()
  const { app } = request
  return (
    <div class={app?.isSandbox ? 'frame sandbox' : 'frame'}>
      <Rail current={props.name} />
      <div class="frame-main">
        <TopBar crumbs={props.crumbs ?? []} title={props.title} />
        <main id="main" tabIndex={-1}>
          <div class="title-line">
            <h1>{props.heading ?? props.title}</h1>
            {props.actions && <div class="actions">{props.actions}</div>}
          </div>
          <Flash flash={props.flash} />
          {app?.isActive === false && request.call.params.appId && (
            <Notice kind="info" title={request.texts.frame.appBlocked} />
          )}
          <EnteredNotice />
          {props.tabs && <Tabs tabs={props.tabs} label={props.title} />}
          {props.children}
        </main>
        <Dock object={props.data?.['data-object']} />
      </div>
      <Palette />
    </div>
  )
}

/** On pages of a licence that the operator has entered. */
function EnteredNotice() {
  const request = usePersonRequest()
  const { app, call, person, texts } = request
  const endsTime = app && call.params.appId && membershipOf(person, app.licenseId)?.endsTime
  return endsTime ? (
    <Notice kind="info" title={texts.frame.visiting({ until: timeIn(request, endsTime) })} />
  ) : null
}

const Flash = ({ flash }: Pick<ScreenProps, 'flash'>) =>
  flash ? (
    <div role={flash.kind === 'bad' ? undefined : 'status'}>
      <Notice kind={flash.kind} title={flash.text} />
    </div>
  ) : null

interface TopBarProps {
  readonly crumbs: readonly Crumb[]
  readonly title: string
}

function TopBar({ crumbs, title }: TopBarProps) {
  const request = usePersonRequest()
  const { app, texts } = request
  return (
    <div class="top-bar">
      <nav class="crumbs" aria-label={texts.frame.breadcrumb}>
        <ol>
          {crumbs.map(({ label, href }) => (
            <li>
              <a href={href}>{label}</a>
            </li>
          ))}
          <li aria-current="page">{title}</li>
        </ol>
      </nav>
      {app && request.can('PaymentRead') && (
        <search>
          <form class="find" method="get" action={`/console/${app.appId}/search`}>
            <label class="visually-hidden" for="find">
              {texts.frame.searchHint}
            </label>
            <input id="find" name="q" type="search" placeholder={texts.frame.searchHint} autocomplete="off" />
          </form>
          <button
            class="palette-open"
            type="button"
            data-palette-open="yes"
            aria-label={texts.tools.palette.open}
            aria-keyshortcuts="Control+K Meta+K"
            hidden
          >
            <kbd dir="ltr">Ctrl K</kbd>
          </button>
        </search>
      )}
      <EnvironmentSwitch />
      <Bell />
      <ThemeSwitch />
      <AccountMenu />
    </div>
  )
}

/** From the device's theme to light, to dark, and back. */
const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const

/**
 * One button that goes on to the next theme and comes back to this page. Not on the answer to a form, which
 * may show a secret once.
 */
function ThemeSwitch() {
  const { texts, person, call, formId } = usePersonRequest()
  const { profile } = texts
  const theme = person.theme ?? 'system'
  if (call.isPost) return null
  return (
    <form method="post" action="/console/profile/theme" class="inline theme-switch">
      <Hidden values={{ form: formId, theme: NEXT_THEME[theme], next: call.path }} />
      <button type="submit" aria-label={`${profile.theme}: ${profile.themes[theme]}`}>
        <span aria-hidden="true">◐</span>
      </button>
    </form>
  )
}

/** Links to the same screen of the sandbox and the live app. Other licences are in the menu of the app. */
function EnvironmentSwitch() {
  const request = usePersonRequest()
  const { app, apps, texts } = request
  if (!app) return null
  return (
    <nav class="environments" aria-label={texts.frame.environment}>
      {apps
        .filter(({ licenseId }) => licenseId === app.licenseId)
        .map((other) => (
          <a href={sameScreen(request, other)} aria-current={other.appId === app.appId ? 'true' : undefined}>
            {other.isSandbox ? texts.frame.sandbox : texts.frame.live}
          </a>
        ))}
    </nav>
  )
}

/** The error page: what happened, what to do, and the request id that the log holds. */
export function renderError(request: OpenRequest | PersonRequest, error: ApiError): PageAnswer {
  const { errors } = request.texts.frame
  const isForged = error.extras.members?.forged === true
  const [title, body] =
    error.status === 404
      ? [errors.unknown, errors.unknownBody]
      : isForged
        ? [errors.forged, errors.forgedBody]
        : error.code === 'forbidden'
          ? [errors.forbidden, errors.forbiddenBody]
          : error.status >= 500
            ? [errors.broken, errors.brokenBody]
            : [refusalText(request, error), '']
  const props: ScreenProps = {
    name: 'error',
    title,
    status: error.status,
    headers: { ...error.extras.headers },
    children: (
      <Statement icon="alert" title={title} level={2}>
        {body && <p>{body}</p>}
        <p class="muted small">{errors.requestId({ id: request.call.requestId })}</p>
        {!request.call.isPost && <a href={request.call.path}>{errors.retry}</a>}
      </Statement>
    ),
  }
  return 'person' in request ? renderScreen(request, props) : renderPlain(request, props)
}
