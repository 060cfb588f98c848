import { type Clock, MINUTE } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import { errorData, type Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { slot } from '../node/slot.ts'
import type { App, Profile } from './app.ts'
import { createCache } from './cache.ts'
import {
  type LiveKey,
  selectApp,
  selectCheckoutHosts,
  selectKey,
  touchKey,
  type WrittenApp,
  type WrittenProfile,
} from './directory-store.ts'

interface Ctx {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

const MAX_APPS = 10_000
const MAX_KEYS = 20_000
const TOUCH_MS = MINUTE

/**
 * Apps and API keys, which nearly every request needs. Entries live half a second and are invalidated at once
 * when this process changes them.
 */
export interface Directory {
  readonly app: (appId: string) => Promise<App | undefined>
  /** Whether this process has loaded the app before. */
  readonly hasSeen: (appId: string) => boolean
  readonly key: (key: string) => Promise<LiveKey | undefined>
  /** Records the last use of a key, at most once a minute and in the background. */
  readonly noteUse: (key: LiveKey, address: string) => void
  /** The app of each checkout host name. */
  readonly checkoutHosts: () => Promise<ReadonlyMap<string, string>>
  /** The app of each profile; never changes. */
  readonly owners: Map<number, string>
  readonly forget: (appId: string) => void
  /** Changes are announced to other nodes, and theirs are received. */
  shared: boolean
}

function createDirectory(ctx: Ctx): Directory {
  const options = { clock: ctx.clock, maxAgeMs: LIMITS.directoryMs }
  const loaded: LoadedApps = new Map()
  const apps = createCache({ ...options, maxSize: MAX_APPS, load: createReader(ctx, loaded) })
  const keys = createCache({ ...options, maxSize: MAX_KEYS, load: (name) => readKey(ctx, name) })
  const hosts = createCache({ ...options, maxSize: 1, load: () => selectCheckoutHosts(ctx.db) })
  return {
    app: apps.get,
    hasSeen: (appId) => loaded.has(appId),
    key: keys.get,
    noteUse: createUseRecorder(ctx),
    checkoutHosts: async () => (await hosts.get('all')) ?? new Map(),
    owners: new Map(),
    forget(appId) {
      apps.forget(appId)
      keys.clear()
      hosts.clear()
    },
    shared: false,
  }
}

export const directory = slot('directory', createDirectory, {
  holds: 'apps with profiles, API keys, owners of profiles',
  until: '`forgetApp` (other nodes: NOTIFY), or 0.5 s; owners never change',
  restart: 'nothing: it is read again',
})

function readKey(ctx: Ctx, name: string): Promise<LiveKey | undefined> {
  const [appId = '', hash = ''] = name.split(':')
  return selectKey(ctx.db, appId, Buffer.from(hash, 'base64'))
}

/** A failure is only logged. */
function createUseRecorder(ctx: Ctx): Directory['noteUse'] {
  const uses = new Map<string, number>()
  return ({ appId, keyId }, address) => {
    const time = ctx.clock.now()
    if (time.getTime() - (uses.get(keyId) ?? Number.NEGATIVE_INFINITY) < TOUCH_MS) return
    if (uses.size >= MAX_KEYS) uses.clear()
    uses.set(keyId, time.getTime())
    touchKey(ctx.db, { appId, keyId, time, address }).catch((error) =>
      ctx.log.debug('key.touch_failed', errorData(error)),
    )
  }
}

type LoadedApps = Map<string, { readonly text: string; readonly app: App }>

/**
 * Returns the same object while the row is unchanged, for as long as the process runs. A cache keyed by it
 * may hold only values derived from its fields, never something that depends on the time.
 */
function createReader(ctx: Ctx, loaded: LoadedApps): (appId: string) => Promise<App | undefined> {
  return async (appId) => {
    const text = await selectApp(ctx.db, appId)
    if (text === undefined) return undefined
    const last = loaded.get(appId)
    if (last?.text === text) return last.app
    const app = toApp(JSON.parse(text))
    if (loaded.size >= MAX_APPS) loaded.clear()
    loaded.set(appId, { text, app })
    return app
  }
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text.slice(2), 'hex')
const maybe = <Value>(text: string | null, read: (text: string) => Value): Value | null =>
  text === null ? null : read(text)
const dateOf = (text: string): Date => new Date(text)

const toApp = (app: WrittenApp): App => ({
  ...app,
  createdTime: dateOf(app.createdTime),
  webhookAuthParameter: maybe(app.webhookAuthParameter, bytesOf),
  webhookSecret: bytesOf(app.webhookSecret),
  webhookPreviousSecret: maybe(app.webhookPreviousSecret, bytesOf),
  webhookPreviousUntil: maybe(app.webhookPreviousUntil, dateOf),
  webhooksHeldUntil: maybe(app.webhooksHeldUntil, dateOf),
  firstWebhookTime: maybe(app.firstWebhookTime, dateOf),
  profiles: app.profiles.map(toProfile),
})

const toProfile = (profile: WrittenProfile): Profile => ({
  ...profile,
  settings: bytesOf(profile.settings),
  createdTime: dateOf(profile.createdTime),
  acceptedTime: maybe(profile.acceptedTime, dateOf),
  accountMethodsTime: maybe(profile.accountMethodsTime, dateOf),
  lastNotificationTime: maybe(profile.lastNotificationTime, dateOf),
  trouble: profile.trouble && { ...profile.trouble, until: dateOf(profile.trouble.until) },
})
