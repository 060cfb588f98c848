import { after } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { App, Profile } from '../merchants/app.ts'
import { forgetApp } from '../merchants/directory.ts'
import type { Diagnosis } from '../merchants/profiles/diagnosis.ts'
import { slot } from '../node/slot.ts'
import type { Outcome } from '../providers/outcome.ts'
import { diagnose, HEALTH, pauseAfter, type Sample, type TroubleLookup } from './rules.ts'
import { clearProfile, markProfile } from './store.ts'

/**
 * Health of provider profiles. Each node keeps its own recent calls. The diagnosis is stored in the database,
 * so that all nodes rank a failing profile last, and use it again once any node finds it healthy.
 * Decision 0055.
 */

export interface CallResult {
  readonly outcome: Outcome
  readonly tookMs: number
}

/** Records the result of a provider call. The diagnosis is written in the background. */
export function noteCall(ctx: Context, app: App, profile: Profile, { outcome, tookMs }: CallResult): void {
  const watch = profileWatches(ctx).of(app.appId, profile.profileId)
  const atMs = ctx.clock.now().getTime()
  const failed = isFailure(outcome)
  watch.samples = [...watch.samples.slice(1 - HEALTH.samples), { atMs, failed, tookMs }]
  if (watch.writing) return
  const write = diagnosisWrite(ctx, app, profile, watch)
  if (!write) return
  watch.writing = true
  const done = write().finally(() => {
    watch.writing = false
    forgetApp(ctx, app.appId)
  })
  ctx.background.keep('profile-health', done, app.appId)
}

/** The provider failed. A decline is a normal result. */
function isFailure(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return true
  return outcome.kind === 'not-done' && ['not-sent', 'rate-limited', 'bad-credentials'].includes(outcome.why)
}

function diagnosisWrite(ctx: Context, app: App, profile: Profile, watch: ProfileWatch) {
  const now = ctx.clock.now()
  const { profileId, trouble } = profile
  const last = watch.samples.at(-1)
  if (trouble) {
    if (trouble.until > now) return undefined
    // This call was a probe: it alone decides.
    if (!last?.failed && (last?.tookMs ?? 0) <= HEALTH.slowMs) {
      watch.samples = []
      return () => clearProfile(ctx.db, app.appId, profileId)
    }
    const failures = trouble.failures + 1
    const due = after(now, pauseAfter(failures))
    return () => markProfile(ctx.db, app.appId, { profileId, failures, diagnosis: trouble.diagnosis, due })
  }
  const diagnosis = diagnose(watch.samples, now.getTime())
  if (diagnosis === undefined) return undefined
  return () =>
    markProfile(ctx.db, app.appId, { profileId, failures: 1, diagnosis, due: after(now, pauseAfter(1)) })
}

/** Looks up the stored problem of each profile. */
export const troubleOf =
  (app: App): TroubleLookup =>
  (profileId) =>
    app.profiles.find((profile) => profile.profileId === profileId)?.trouble?.diagnosis

/** Like `troubleOf`, for a payment about to be made: a due probe is let through once per interval. */
export function troubleWhenPaying(ctx: Pick<Context, 'node' | 'clock'>, app: App): TroubleLookup {
  const results = new Map<number, Diagnosis | undefined>()
  return (profileId) => {
    if (!results.has(profileId)) results.set(profileId, troubleOrProbe(ctx, app, profileId))
    return results.get(profileId)
  }
}

function troubleOrProbe(
  ctx: Pick<Context, 'node' | 'clock'>,
  app: App,
  profileId: number,
): Diagnosis | undefined {
  const trouble = app.profiles.find((profile) => profile.profileId === profileId)?.trouble
  if (!trouble) return undefined
  const now = ctx.clock.now()
  const watch = profileWatches(ctx).of(app.appId, profileId)
  const mayProbe = trouble.until <= now && now.getTime() - watch.probedMs >= HEALTH.probeEveryMs
  if (!mayProbe) return trouble.diagnosis
  watch.probedMs = now.getTime()
  return undefined
}

/** The recent calls to a profile by this node. */
interface ProfileWatch {
  samples: Sample[]
  /** A diagnosis is being written. */
  writing: boolean
  probedMs: number
}

interface ProfileWatches {
  of(appId: string, profileId: number): ProfileWatch
}

const MAX_WATCHES = 10_000

function createProfileWatches(): ProfileWatches {
  const all = new Map<string, ProfileWatch>()
  return {
    of(appId, profileId) {
      const key = `${appId} ${profileId}`
      const watch = all.get(key) ?? { samples: [], writing: false, probedMs: Number.NEGATIVE_INFINITY }
      // A Map keeps insertion order: evict the least recently called profile.
      all.delete(key)
      all.set(key, watch)
      const [oldest] = all.size > MAX_WATCHES ? all.keys() : []
      if (oldest !== undefined) all.delete(oldest)
      return watch
    },
  }
}

const profileWatches = slot('profileWatches', createProfileWatches, {
  holds: 'recent calls to each profile',
  until: 'newer calls; a successful probe',
  restart: 'the calls: a failing profile is found after new ones',
})
