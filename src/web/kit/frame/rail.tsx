import { appNow } from '../../../merchants/app.ts'
import { Time } from '../format/time.tsx'
import { Hidden } from '../html/controls.tsx'
import { Icon } from '../html/icons.tsx'
import { usePersonRequest } from '../screen.tsx'
import { menuOf } from './menu.ts'
import { AppMenu } from './menus.tsx'

/** The menu. On a phone it is folded; without script the summary opens it. */
export function Rail({ current }: { readonly current: string }) {
  const request = usePersonRequest()
  const { app, texts } = request
  const { frame } = texts
  return (
    <header class="rail">
      <div class="rail-head">
        <AppMenu />
        {app?.isSandbox && <span class="sandbox-mark">{frame.sandboxMark}</span>}
        {app !== undefined && app.clockOffsetMs !== 0 && (
          <span class="app-time" title={frame.appTimeHint}>
            <span class="visually-hidden">{frame.appTime} </span>
            <Time time={appNow(request.ctx, app)} />
          </span>
        )}
      </div>
      <details class="rail-menu" open>
        <summary>{frame.menu}</summary>
        <nav aria-label={frame.navigation}>
          <ul>
            {app &&
              menuOf(request).map(({ name, key, icon }) => (
                <li>
                  <a
                    href={`/console/${app.appId}/${name}`}
                    data-go={key}
                    aria-current={name === current ? 'page' : undefined}
                  >
                    <Icon name={icon} />
                    {texts[name].title}
                    <Badge count={request.badges[name]} />
                  </a>
                </li>
              ))}
          </ul>
          <RailFoot current={current} />
        </nav>
      </details>
    </header>
  )
}

/** Pages beside the screens of the app, and the way out. */
function RailFoot({ current }: { readonly current: string }) {
  const request = usePersonRequest()
  const { texts } = request
  const { frame } = texts
  return (
    <ul class="rail-foot">
      <li>
        <a href="/console/profile" aria-current={current === 'profile' ? 'page' : undefined}>
          {texts.profile.title}
        </a>
      </li>
      {request.person.isOperator && (
        <li>
          <a href="/console/system" aria-current={current === 'system' ? 'page' : undefined}>
            {texts.system.title}
          </a>
        </li>
      )}
      <li>
        <a href="/docs">{frame.docs}</a>
      </li>
      <li>
        <a href="/console/shortcuts">{frame.help}</a>
      </li>
      <li>
        <form method="post" action="/console/sign-out">
          <Hidden values={{ form: request.formId }} />
          <button class="linklike" type="submit">
            {frame.signOut}
          </button>
        </form>
      </li>
    </ul>
  )
}

/** Counts end at 100. */
export const countText = (count: number): string => (count < 100 ? String(count) : '99+')

const Badge = ({ count = 0 }: { readonly count?: number | undefined }) =>
  count > 0 ? <span class="rail-badge">{countText(count)}</span> : null
