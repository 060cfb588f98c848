import type { App } from '../../../merchants/app.ts'
import { NAME_SHOWN, shortText } from '../format/short-text.ts'
import { Hidden } from '../html/controls.tsx'
import { usePersonRequest } from '../screen.tsx'
import type { PersonRequest } from './request.ts'

/** The same screen of another app, or its overview. */
export function sameScreen({ call }: PersonRequest, { appId }: App): string {
  const screen = /^\/console\/[^/]+\/([a-z]+)/.exec(call.path)?.[1] ?? 'overview'
  return `/console/${appId}/${call.params.appId === undefined ? 'overview' : screen}`
}

/** The name of the app, which opens the list of the person's apps. */
export function AppMenu() {
  const request = usePersonRequest()
  const { app, apps, texts } = request
  const { frame } = texts
  if (!app) return <span class="rail-name">{frame.product}</span>
  return (
    <details class="more app-menu">
      <summary>
        <span class="visually-hidden">{`${frame.apps}: `}</span>
        <bdi class="rail-name">{app.friendlyName}</bdi>
      </summary>
      <ul>
        {apps.map((other) => (
          <li>
            <a
              href={sameScreen(request, other)}
              aria-current={other.appId === app.appId ? 'true' : undefined}
            >
              <bdi>{other.friendlyName}</bdi>
              {` · ${other.isSandbox ? frame.sandbox : frame.live}`}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** `DK` of "Dana Kern"; the first letter of an address. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}

/** The initials of the person, which open the profile, the theme and the way out. */
export function AccountMenu() {
  const { person, texts, formId } = usePersonRequest()
  const { frame, profile } = texts
  const name = person.name ?? person.email
  return (
    <nav class="you" aria-label={frame.you}>
      <details class="more account-menu">
        <summary>
          <span aria-hidden="true">{initialsOf(name)}</span>
          <bdi class="visually-hidden">{`${frame.you}: ${shortText(name, NAME_SHOWN)}`}</bdi>
        </summary>
        <div class="account-list">
          <a href="/console/profile">
            <bdi>{shortText(name, NAME_SHOWN)}</bdi> <span class="muted">{profile.title}</span>
          </a>
          <Themes />
          <form method="post" action="/console/sign-out">
            <Hidden values={{ form: formId }} />
            <button class="linklike" type="submit">
              {frame.signOut}
            </button>
          </form>
        </div>
      </details>
    </nav>
  )
}

/** Comes back to this page. Not on the answer to a form, which may show a secret once. */
function Themes() {
  const { texts, person, call, formId } = usePersonRequest()
  const { themes, theme } = texts.profile
  const current = person.theme ?? 'system'
  if (call.isPost) return null
  return (
    <form method="post" action="/console/profile/theme">
      <Hidden values={{ form: formId, next: call.path }} />
      <fieldset>
        <legend class="muted">{theme}</legend>
        {(['system', 'light', 'dark'] as const).map((value) => (
          <button
            class="linklike"
            type="submit"
            name="theme"
            value={value}
            aria-pressed={value === current ? 'true' : 'false'}
          >
            {themes[value]}
          </button>
        ))}
      </fieldset>
    </form>
  )
}
