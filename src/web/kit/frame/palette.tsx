import { shortName } from '../format/names.ts'
import { usePersonRequest } from '../screen.tsx'
import type { ConsoleTexts } from '../texts/texts.ts'
import type { PersonRequest } from './request.ts'

/** The dialog of the command palette, which script opens. Its lists are the menu, the page and the search. */
export function Palette() {
  const request = usePersonRequest()
  const { app, texts } = request
  const { palette } = texts.tools
  if (!app) return null
  const base = `/console/${app.appId}`
  const { recent, goTo, act, found, none } = palette
  return (
    <template
      id="palette"
      data-search={request.can('PaymentRead') ? `${base}/search` : undefined}
      data-texts={JSON.stringify({ recent, goTo, act, found, none })}
      data-kinds={JSON.stringify(palette.kinds)}
    >
      <dialog class="palette" aria-label={palette.title}>
        <input
          type="text"
          role="combobox"
          aria-label={palette.label}
          aria-autocomplete="list"
          aria-controls="palette-list"
          aria-expanded="true"
          autocomplete="off"
          spellcheck={false}
          maxlength={200}
          placeholder={palette.label}
        />
        <div class="palette-list" id="palette-list" role="listbox" aria-label={palette.title} />
        <p class="palette-none muted" role="status" />
      </dialog>
      {actionsOf(request).map(({ label, href }) => (
        <a data-act="yes" href={href}>
          {label}
        </a>
      ))}
    </template>
  )
}

export interface PaletteAction {
  readonly label: string
  readonly href: string
}

/** A provider profile beyond these is found on the page of the providers. */
const MAX_PROFILES = 20

/** Actions of every page that the person may use, for the palette and for the search without script. */
export function actionsOf(request: PersonRequest): readonly PaletteAction[] {
  const { app, apps, texts, ctx, person, mayUse } = request
  const { palette } = texts.tools
  if (!app) return []
  const base = `/console/${app.appId}`
  const page = (path: string, label: string, address = path) =>
    mayUse('GET', path) ? [{ label, href: base + address }] : []
  const known = app.profiles.map(({ provider }) => provider)
  const unknown = [...ctx.providers.values()].filter(
    ({ manifest }) => !known.includes(manifest.id) && (app.isSandbox || !manifest.sandboxOnly),
  )
  const other = apps.find(({ licenseId, appId }) => licenseId === app.licenseId && appId !== app.appId)
  return [
    ...page('/notices', texts.notices.title),
    ...page('/links/new', palette.createLink),
    ...page('/payments/export', palette.exportPayments),
    ...page('/team/invite', palette.invite),
    ...page('/developers/keys/new', palette.createKey),
    ...pagesBelow(texts).flatMap(([path, label]) => page(path, label)),
    ...page('/fraud', palette.addPolicy),
    ...page('/providers/add', palette.addProvider),
    ...unknown.flatMap(({ manifest: { id, name } }) =>
      page('/providers/add/{provider}', palette.setUp({ name }), `/providers/add/${id}`),
    ),
    ...app.profiles
      .slice(0, MAX_PROFILES)
      .flatMap((profile) =>
        page(
          '/providers/{profileId}',
          palette.provider({ name: nameOf(ctx, profile) }),
          `/providers/${profile.profileId}`,
        ),
      ),
    ...(other
      ? [{ label: other.isSandbox ? palette.toSandbox : palette.toLive, href: `/console/${other.appId}` }]
      : []),
    { label: palette.theme, href: '/console/profile#theme' },
    { label: palette.language, href: '/console/profile#language' },
    { label: palette.signIn, href: '/console/profile' },
    ...(person.isOperator ? [{ label: texts.system.title, href: '/console/system' }] : []),
    { label: texts.frame.docs, href: '/docs' },
    { label: texts.frame.help, href: '/console/shortcuts' },
  ]
}

/** Pages below the screens of the menu, and the main actions of the screens. */
function pagesBelow(texts: ConsoleTexts): readonly (readonly [path: string, label: string])[] {
  const { exports, routing, team, customers, approvals, goingLive, payouts, developers, settings } = texts
  const inside = (screen: string, page: string) => `${screen}: ${page}`
  return [
    ['/exports/new', exports.newTitle],
    ['/exports/imports', inside(exports.title, texts.moving.title)],
    ['/exports/schedules/new', inside(exports.title, exports.newSchedule)],
    ['/new-customer', customers.newCustomer],
    ['/routing/route', routing.addRoute],
    ['/team/roles/new', team.newRole],
    ['/team/permissions', team.matrix],
    ['/approvals', approvals.title],
    ['/going-live', goingLive.title],
    ['/payouts/sources', inside(payouts.title, payouts.tabs.sources)],
    ['/payouts/exceptions', inside(payouts.title, payouts.tabs.exceptions)],
    ...(['webhooks', 'events', 'tools', 'quickstart'] as const).map(
      (tab) => [`/developers/${tab}`, inside(developers.title, developers.tabs[tab])] as const,
    ),
    ['/developers/api-log', inside(developers.title, developers.tabs.apiLog)],
    ...(['checkout', 'host', 'e-mails', 'data'] as const).map(
      (tab) => [`/settings/${tab}`, inside(settings.title, settings.tabs[tab])] as const,
    ),
  ]
}

/** The name of the profile, and that of its provider where it says more. */
function nameOf({ providers }: PersonRequest['ctx'], profile: { name: string; provider: string }): string {
  const provider = providers.get(profile.provider)?.manifest.name ?? profile.provider
  const name = shortName(profile)
  return name.toLowerCase().includes(provider.toLowerCase()) ? name : `${name} (${provider})`
}
