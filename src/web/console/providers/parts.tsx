import type { Profile } from '../../../merchants/app.ts'
import { findAdapter } from '../../../merchants/profiles/adapter.ts'
import { notReadyReason } from '../../../merchants/profiles/ready.ts'
import type { Arrivals } from '../../../notifications/arrivals.ts'
import type { MethodKind } from '../../../providers/outcome.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Icon } from '../../kit/html/icons.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { MethodIcon } from '../../kit/html/methods.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { agoIn, Time } from '../../kit/format/time.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { providerName } from '../../kit/format/names.ts'

export const nameOf = ({ name }: Pick<Profile, 'name'>): string => shortText(name, NAME_SHOWN) ?? ''

export const Logo = ({ provider }: { readonly provider: string }) => (
  <img class="provider-logo" src={`/assets/providers/${provider}.svg`} alt="" width={48} height={32} />
)

type Status = 'on' | 'off' | 'failing' | 'unready' | 'unavailable'
const TONES: Readonly<Record<Status, string>> = {
  on: 'green',
  off: '',
  failing: 'amber',
  unready: 'amber',
  unavailable: 'red',
}

function statusOf(request: AppRequest, profile: Profile): Status {
  if (!findAdapter(request.ctx, profile)) return 'unavailable'
  if (!profile.isActive) return 'off'
  if (notReadyReason(request.ctx, request.app, profile) !== undefined) return 'unready'
  return profile.trouble ? 'failing' : 'on'
}

interface ProfileProps {
  readonly profile: Profile
}

export function StatusPill({ profile }: ProfileProps) {
  const request = useRequest()
  const status = statusOf(request, profile)
  return (
    <span class={`pill ${TONES[status]}`} data-status={status}>
      {request.texts.providers[status]}
    </span>
  )
}

/** Why the provider cannot take payments yet, in the adapter's own words. */
export function NotReady({ profile }: ProfileProps) {
  const request = useRequest()
  const says = findAdapter(request.ctx, profile) && notReadyReason(request.ctx, request.app, profile)
  if (says === undefined) return null
  return (
    <Notice kind="bad" title={request.texts.providers.unreadyTitle}>
      <p lang="en">{says}</p>
    </Notice>
  )
}

/** When a genuine notification arrived last: how long ago, and the time. */
export function LastNotification({ profile: { lastNotificationTime: time } }: ProfileProps) {
  const request = useRequest()
  if (time === null) return <span class="muted">{request.texts.providers.noNotification}</span>
  const elapsedMs = request.ctx.clock.now().getTime() - time.getTime()
  return (
    <>
      {`${agoIn(request.language, elapsedMs)}, `}
      <Time time={time} />
    </>
  )
}

interface MethodListProps {
  readonly methods: readonly MethodKind[]
}

export const MethodList = ({ methods }: MethodListProps) => {
  const request = useRequest()
  return (
    <ul class="method-list">
      {methods.map((kind) => (
        <li>
          <MethodIcon kind={kind} />
          {request.texts.providers.methodNames[kind]}
        </li>
      ))}
    </ul>
  )
}

interface ArrivalsProps extends ProfileProps {
  readonly arrivals: Arrivals
  /** Where "Refresh" leads. */
  readonly page: string
}

/** Whether notifications arrive. With script it is asked again until one has. */
export function ArrivalStatus({ profile, arrivals, page }: ArrivalsProps) {
  const request = useRequest()
  const poll = `${request.base}/providers/${profile.profileId}/arrivals?page=${encodeURIComponent(page)}`
  return (
    <div class="arrivals" role="status" data-poll={arrivals.hasVerified ? undefined : poll}>
      <ArrivalText profile={profile} arrivals={arrivals} page={page} />
    </div>
  )
}

export function ArrivalText({ profile, arrivals, page }: ArrivalsProps) {
  const request = useRequest()
  const { providers } = request.texts
  if (arrivals.hasVerified)
    return (
      <p class="arrived" data-poll-done="yes">
        <Icon name="check" />
        {providers.arrived}
      </p>
    )
  return (
    <>
      <p>{arrivals.hasForged ? providers.forged : providers.waiting}</p>
      {!arrivals.hasForged && (
        <p class="muted small">{providers.waitingHint(providerName(request, profile.provider))}</p>
      )}
      <p>
        <a href={page}>{providers.refresh}</a>
      </p>
    </>
  )
}
