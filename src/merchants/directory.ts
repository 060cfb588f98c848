import { appIdFromPart } from '../base/ids.ts'
import { errorData } from '../base/log.ts'
import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { notify } from '../db/notify.ts'
import type { App } from './app.ts'
import { directory } from './directory-cache.ts'
import { findAppOfProfile, type LiveKey } from './directory-store.ts'

// Access to the node's cache of apps and API keys.

type Ctx = Pick<Context, 'node'>
type DbCtx = Pick<Context, 'node' | 'db'>

/** Notification channel for changed apps. */
const CHANNEL = 'tender_apps'

const MAX_PROFILES = 50_000

/** Listens for changes made by other nodes. Returns a function that stops it. */
export function listenForApps(ctx: DbCtx): () => void {
  const known = directory(ctx)
  known.shared = true
  return ctx.db.listen(CHANNEL, (appId) => known.forget(appId))
}

/** The app with its profiles, cached for at most half a second. */
export const loadApp = (ctx: Ctx, appId: string): Promise<App | undefined> => directory(ctx).app(appId)

/** The app as it is now. */
export function reloadApp(ctx: Ctx, appId: string): Promise<App | undefined> {
  directory(ctx).forget(appId)
  return loadApp(ctx, appId)
}

/** The app that owns a profile. */
export async function loadAppOfProfile(ctx: DbCtx, profileId: number): Promise<App | undefined> {
  const { owners } = directory(ctx)
  const appId = owners.get(profileId) ?? (await findAppOfProfile(ctx.db, profileId))
  if (appId === undefined) return undefined
  if (owners.size >= MAX_PROFILES) owners.clear()
  owners.set(profileId, appId)
  return loadApp(ctx, appId)
}

/** The app whose checkout has this host name. Half a second has one read, whatever hosts are asked for. */
export const appOfHost = async (ctx: Ctx, host: string): Promise<string | undefined> =>
  (await directory(ctx).checkoutHosts()).get(host)

/**
 * Invalidates an app after a change to it, its keys or its profiles: here at once, on other nodes by a
 * notification. If the notification is lost, they see the change when their cache entry expires.
 */
export function forgetApp(ctx: Pick<Context, 'node' | 'db' | 'log'>, appId: string): void {
  const known = directory(ctx)
  known.forget(appId)
  if (known.shared)
    notify(ctx.db, CHANNEL, appId).catch((error) => ctx.log.debug('app.tell_failed', errorData(error)))
}

/** `sk_`, `sandbox` or `live`, the app's part, then the secret. */
const KEY = /^sk_(?:sandbox|live)_([0-9a-z]{44})$/

/** The parts of a well-formed key, parsed without a read. */
export interface KeyText {
  readonly appId: string
  /** Cache key with the hash of the API key: the process keeps no keys in memory. */
  readonly name: string
}

export function readKeyText(text: string): KeyText | undefined {
  const appId = appIdFromPart(KEY.exec(text)?.[1] ?? '')
  if (appId === undefined) return undefined
  return { appId, name: `${appId}:${Buffer.from(sha256(text)).toString('base64')}` }
}

/** Whether this process has loaded the app before; needs no read. */
export const hasSeenApp = (ctx: Ctx, appId: string): boolean => directory(ctx).hasSeen(appId)

/** Finds a key that is neither revoked nor expired. */
export async function findKey(
  ctx: Pick<Context, 'node' | 'clock'>,
  { name }: KeyText,
): Promise<LiveKey | undefined> {
  const key = await directory(ctx).key(name)
  return key && (key.expiresTime === null || key.expiresTime > ctx.clock.now()) ? key : undefined
}
