import { after, MINUTE } from '../base/clock.ts'
import { appIdFromPart, appPart, randomText } from '../base/ids.ts'
import { LIMITS } from '../base/limits.ts'
import { sameBytes, sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import type { PanelGrant } from './panel.ts'
import { endSession, extendSession, insertSession, selectSession, takeTry } from './panel-store.ts'

/** A customer at their own panel. Kept in the database: any node knows it, and a restart forgets nothing. */
export interface PanelSession {
  readonly app: App
  readonly grant: PanelGrant
  readonly expiresTime: Date
  /** What the cookie holds; only its hash is kept. */
  readonly key: string
  readonly linkHash: Uint8Array
}

/** A session that is over still says where its customer is to be sent. */
export type FoundSession =
  | ({ readonly kind: 'open' } & PanelSession)
  | { readonly kind: 'over'; readonly app: App; readonly grant: PanelGrant }

const KEY = /^[0-9a-z]{38}$/

/** The key of a new session; undefined when the link has opened one already. */
export async function openPanelSession(
  ctx: Context,
  app: App,
  grant: PanelGrant,
  token: string,
): Promise<string | undefined> {
  const key = appPart(app.appId) + randomText(ctx.random, 26)
  const expiresTime = after(appNow(ctx, app), LIMITS.panelSessionMs)
  const row = { sessionHash: sha256(key), linkHash: sha256(token), grant, expiresTime }
  return (await insertSession(ctx.db, app.appId, row)) ? key : undefined
}

/** How stale the end of a session may be: not every look at a page is worth a write. */
const SLACK_MS = MINUTE

export async function findPanelSession(ctx: Context, key: string): Promise<FoundSession | undefined> {
  const appId = KEY.test(key) ? appIdFromPart(key) : undefined
  // The session first: a wrong one then costs one short read, whatever app it names.
  const row = appId === undefined ? undefined : await selectSession(ctx.db, appId, sha256(key))
  const app = appId === undefined || !row ? undefined : await loadApp(ctx, appId)
  if (!app?.isActive || !row) return undefined
  const { grant, linkHash } = row
  const now = appNow(ctx, app)
  if (row.expiresTime <= now) return { kind: 'over', app, grant }
  const later = after(now, LIMITS.panelSessionMs)
  const isStale = later.getTime() - row.expiresTime.getTime() > SLACK_MS
  if (isStale) await extendSession(ctx.db, app.appId, row.sessionHash, later)
  return { kind: 'open', app, grant, key, linkHash, expiresTime: isStale ? later : row.expiresTime }
}

/** Whether this session is the one that the link opened: then the link leads back to it. */
export const wasOpenedBy = ({ linkHash }: PanelSession, token: string): boolean =>
  sameBytes(linkHash, sha256(token))

export const endPanelSession = (ctx: Context, { app, key }: PanelSession): Promise<void> =>
  endSession(ctx.db, app.appId, sha256(key), appNow(ctx, app))

/** Trying methods one after the other is what thieves of card numbers do: a session may do so a few times. */
export const takePanelTry = (ctx: Context, { app, key }: PanelSession): Promise<boolean> =>
  takeTry(ctx.db, app.appId, sha256(key), LIMITS.checkoutAttempts)
