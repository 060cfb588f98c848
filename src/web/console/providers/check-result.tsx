import type { Profile } from '../../../merchants/app.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import type { ProfileCheck } from '../../../merchants/profiles/connect.ts'
import { needsConnecting } from '../../../merchants/profiles/unproven.ts'
import { CHECK_PARTS } from '../../../providers/check.ts'
import { providerName } from '../../kit/format/names.ts'
import { agoIn, Time } from '../../kit/format/time.tsx'
import { Icon } from '../../kit/html/icons.tsx'
import { KeyValue, Notice, type Row } from '../../kit/html/layout.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { textWith } from '../../kit/texts/texts.ts'

interface CheckResultProps {
  /** Absent: nothing was tested. */
  readonly check: ProfileCheck | undefined
  readonly profile: Profile
  /** The settings are those that are stored. */
  readonly isSaved: boolean
}

/** What a test of the connection found. Problems and warnings are in the adapter's own words. */
export function CheckResult({ check, profile, isSaved }: CheckResultProps) {
  const request = useRequest()
  const { providers, providerSetup } = request.texts
  if (!check) return null
  const name = providerName(request, profile.provider)
  const unsaved = !isSaved && <p>{providerSetup.notSaved}</p>
  if (!check.ok)
    return (
      <Notice kind="bad" title={providers.testFailed({ name })}>
        {check.code && request.language.locale !== 'en' && (
          <p>{textWith(providers.checkProblems[check.code], { name })}</p>
        )}
        <p lang="en">{check.problem}</p>
        {unsaved}
      </Notice>
    )
  return (
    <div role="status">
      <Notice kind="ok" title={providers.tested({ name })}>
        {unsaved}
      </Notice>
      <TestedParts check={check} profile={profile} isSaved={isSaved} />
      {check.warnings && check.warnings.length > 0 && (
        <Notice kind="info" title={providers.warnings}>
          {check.warnings.map((warning) => (
            <p lang="en">{warning}</p>
          ))}
        </Notice>
      )}
    </div>
  )
}

interface TestedPartsProps extends CheckResultProps {
  readonly check: ProfileCheck
}

/** Each part with its result, or why it is not known. */
function TestedParts({ check, profile, isSaved }: TestedPartsProps) {
  const request = useRequest()
  const { providerSetup: words } = request.texts
  const { tested = [], account = '' } = check
  const results = {
    credentials: words.accepted,
    permissions: words.enough,
    account: <code>{account}</code>,
    methods: words.turnedOn,
    currency: words.taken({ currency: profile.currency }),
  }
  const notTold = words.notTold({ name: providerName(request, profile.provider) })
  const rows = CHECK_PARTS.map(
    (part): Row => [
      words.parts[part],
      tested.includes(part) ? (
        <>
          <Icon name="check" /> {results[part]}
        </>
      ) : (
        <span class="muted">{notTold}</span>
      ),
    ],
  )
  const hasNotifications = needsConnecting(adapterOf(request.ctx, profile))
  const last: Row = [words.parts.notifications, <LastNotification profile={profile} isSaved={isSaved} />]
  return (
    <section class="tested" aria-label={words.tested}>
      <h3>{words.tested}</h3>
      <KeyValue rows={hasNotifications ? [...rows, last] : rows} />
    </section>
  )
}

interface LastNotificationProps {
  readonly profile: Profile
  readonly isSaved?: boolean
}

/** When a genuine notification arrived last: how long ago, and the time. */
export function LastNotification({ profile, isSaved = true }: LastNotificationProps) {
  const request = useRequest()
  const { providers, providerSetup: words } = request.texts
  const { lastNotificationTime: time } = profile
  if (time === null) {
    const { unsignedNotifications } = adapterOf(request.ctx, profile).manifest
    const text = unsignedNotifications ? words.notNeeded : isSaved ? providers.noNotification : words.notYet
    return <span class="muted">{text}</span>
  }
  const elapsedMs = request.ctx.clock.now().getTime() - time.getTime()
  return (
    <>
      {`${agoIn(request.language, elapsedMs)}, `}
      <Time time={time} />
    </>
  )
}
