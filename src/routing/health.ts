import { after } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { App, Profile } from '../merchants/app.ts'
import { forgetApp } from '../merchants/directory.ts'
import type { Outcome } from '../providers/outcome.ts'
import { diagnose, HEALTH, pauseAfter, type Sample, type TroubleLookup } from './rules.ts'
import { clearProfile, markProfile } from './store.ts'

/**
 * How well profiles work. Each node remembers its own last calls; what it concludes is written down, so that
 * all nodes avoid a profile in trouble and all return to it when one of them finds it well.
 */
interface Watch {
  samples: Sample[]
  /** While its conclusion is being written. */
  writing: boolean
  probedMs: number
}

const MAX_WATCHES = 10_000

const watches = new WeakMap<Context['db'], Map<string, Watch>>()

function watchOf(ctx: Pick<Context, 'db'>, { appId }: App, { profileId }: Pick<Profile, 'profileId'>): Watch {
  const all = watches.get(ctx.db) ?? new Map<string, Watch>()
  watches.set(ctx.db, all)
  const key = `${appId} ${profileId}`
  const known = all.get(key) ?? { samples: [], writing: false, probedMs: Number.NEGATIVE_INFINITY }
  // Map keeps the order of insertion: the profile that was longest not called makes room.
  all.delete(key)
  all.set(key, known)
  const [oldest] = all.size > MAX_WATCHES ? all.keys() : []
  if (oldest !== undefined) all.delete(oldest)
  return known
}

export interface Called {
  readonly outcome: Outcome
  readonly tookMs: number
}

/** A call to a provider has ended. Nobody waits for what is concluded from it. */
export function noteCall(ctx: Context, app: App, profile: Profile, { outcome, tookMs }: Called): void {
  const watch = watchOf(ctx, app, profile)
  const atMs = ctx.clock.now().getTime()
  const failed = isFailure(outcome)
  watch.samples = [...watch.samples.slice(1 - HEALTH.samples), { atMs, failed, tookMs }]
  if (watch.writing) return
  const conclusion = conclude(ctx, app, profile, watch)
  if (!conclusion) return
  watch.writing = true
  const done = conclusion().finally(() => {
    watch.writing = false
    forgetApp(ctx, app.appId)
  })
  ctx.background.keep('profile-health', done, app.appId)
}

/** The provider did not do its part. A decline is an answer like any other. */
function isFailure(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return true
  return outcome.kind === 'not-done' && ['not-sent', 'rate-limited', 'bad-credentials'].includes(outcome.why)
}

function conclude(ctx: Context, app: App, profile: Profile, watch: Watch) {
  const now = ctx.clock.now()
  const { profileId, trouble } = profile
  const last = watch.samples.at(-1)
  if (trouble) {
    if (trouble.until > now) return undefined
    // It was probed: one call decides.
    if (!last?.failed && (last?.tookMs ?? 0) <= HEALTH.slowMs) {
      watch.samples = []
      return () => clearProfile(ctx.db, app.appId, profileId)
    }
    const failures = trouble.failures + 1
    const due = after(now, pauseAfter(failures))
    return () => markProfile(ctx.db, app.appId, { profileId, failures, says: trouble.says, due })
  }
  const says = diagnose(watch.samples, now.getTime())
  if (says === undefined) return undefined
  return () =>
    markProfile(ctx.db, app.appId, { profileId, failures: 1, says, due: after(now, pauseAfter(1)) })
}

/** What ranking is told of each profile. */
export const troubleOf =
  (app: App): TroubleLookup =>
  (profileId) =>
    app.profiles.find((profile) => profile.profileId === profileId)?.trouble?.says

/** The same for a payment that is about to be paid: when a probe is due, one in a while is let through. */
export function troubleWhenPaying(ctx: Pick<Context, 'db' | 'clock'>, app: App): TroubleLookup {
  const told = new Map<number, string | undefined>()
  return (profileId) => {
    if (!told.has(profileId)) told.set(profileId, askedNow(ctx, app, profileId))
    return told.get(profileId)
  }
}

function askedNow(ctx: Pick<Context, 'db' | 'clock'>, app: App, profileId: number): string | undefined {
  const trouble = app.profiles.find((profile) => profile.profileId === profileId)?.trouble
  if (!trouble) return undefined
  const now = ctx.clock.now()
  const watch = watchOf(ctx, app, { profileId })
  const mayProbe = trouble.until <= now && now.getTime() - watch.probedMs >= HEALTH.probeEveryMs
  if (!mayProbe) return trouble.says
  watch.probedMs = now.getTime()
  return undefined
}
