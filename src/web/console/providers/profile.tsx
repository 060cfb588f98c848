import { CURRENCIES } from '../../../base/currencies.ts'
import { notFound } from '../../../base/errors.ts'
import { readId } from '../../../http/wire.ts'
import { findProfile, type Profile } from '../../../merchants/app.ts'
import { findAdapter } from '../../../merchants/profiles/adapter.ts'
import { notReadyReason } from '../../../merchants/profiles/ready.ts'
import type { AnyMethod } from '../../../providers/methods/method.ts'
import { METHOD_KINDS, type MethodKind } from '../../../providers/outcome.ts'
import type { Manifest, ProviderAdapter } from '../../../providers/port.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import { MethodIcon } from '../../kit/html/methods.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'

/** What the pages of providers share: the profile or provider of the address, and parts that show one. */

export function requestedProfile({ app, call }: AppRequest): Profile {
  const profile = findProfile(app, readId(call.params.profileId ?? '') ?? -1)
  if (!profile) throw notFound('The payment profile')
  return profile
}

export const profilePath = ({ base }: AppRequest, { profileId }: Profile): string =>
  `${base}/providers/${profileId}`

/** In the pages of a profile. The adapter is missing where this installation no longer has the provider. */
export function useProfile() {
  const request = useRequest()
  const profile = requestedProfile(request)
  return {
    request,
    profile,
    path: profilePath(request, profile),
    adapter: findAdapter(request.ctx, profile),
    providers: request.texts.providers,
  }
}

/** The provider that is being added, if the app may use it. */
export function requestedAdapter({ ctx, app, call }: AppRequest): ProviderAdapter {
  const adapter = ctx.providers.get(call.params.provider ?? '')
  if (!adapter || !isUsable(adapter.manifest, app.isSandbox)) throw notFound('The provider')
  return adapter
}

export const isUsable = ({ sandboxOnly }: Manifest, isSandbox: boolean): boolean => isSandbox || !sandboxOnly

export const methodsOf = ({ methods }: Manifest): MethodKind[] => METHOD_KINDS.filter((kind) => methods[kind])

export const currenciesOf = ({ currencies }: Manifest): readonly string[] =>
  currencies === 'any' ? [...CURRENCIES.keys()].sort() : [...currencies].sort()

/** A provider of this installation opens its own account: there is nothing to type. */
export const needsCredentials = ({ openAccount }: ProviderAdapter): boolean => openAccount === undefined

export const crumbsOf = ({ texts, base }: AppRequest) => [
  { label: texts.providers.title, href: `${base}/providers` },
]

/** A page below the list of providers. */
export const renderBelow = (request: AppRequest, page: Omit<ScreenProps, 'name' | 'crumbs'>): PageAnswer =>
  renderScreen(request, { name: 'providers', crumbs: crumbsOf(request), ...page })

export const Logo = ({ provider }: { readonly provider: string }) => (
  <img class="provider-logo" src={`/assets/providers/${provider}.svg`} alt="" width={48} height={32} />
)

const TONES = { on: 'green', off: '', failing: 'amber', unready: 'amber', unavailable: 'red' } as const

function statusOf(request: AppRequest, profile: Profile): keyof typeof TONES {
  if (!findAdapter(request.ctx, profile)) return 'unavailable'
  if (!profile.isActive) return 'off'
  if (notReadyReason(request.ctx, request.app, profile) !== undefined) return 'unready'
  return profile.trouble ? 'failing' : 'on'
}

export function StatusPill({ profile }: { readonly profile: Profile }) {
  const request = useRequest()
  const status = statusOf(request, profile)
  return (
    <span class={`pill ${TONES[status]}`} data-status={status}>
      {request.texts.providers[status]}
    </span>
  )
}

export function MethodList({ methods }: { readonly methods: readonly AnyMethod[] }) {
  const { methodNames } = useRequest().texts.providers
  return (
    <ul class="method-list">
      {methods.map((kind) => (
        <li>
          <MethodIcon kind={kind} />
          {methodNames[kind]}
        </li>
      ))}
    </ul>
  )
}

/** The texts of a setting: the English ones of the adapter, where the catalogue has none. */
export function settingTexts(
  { texts }: Pick<AppRequest, 'texts'>,
  provider: string,
  { name, label, help }: Manifest['settings']['fields'][number],
): SettingTexts {
  const known: Readonly<Record<string, Readonly<Record<string, SettingTexts>>>> = texts.credentials
  return known[provider]?.[name] ?? { label, help }
}

interface SettingTexts {
  readonly label: string
  readonly help?: string | undefined
  /** What to enter instead of a value that was refused. */
  readonly wrong?: string
}
