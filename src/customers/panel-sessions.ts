import { after, MINUTE } from '../base/clock.ts'
import { appIdFromPart, appPart, randomText } from '../base/ids.ts'
import { LIMITS } from '../base/limits.ts'
import { sameBytes, sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import type { PanelGrant } from './panel.ts'
import { endSession, extendSession, insertSession, selectSession, takeTry } from './panel-store.ts'

/**
 * A session of the customer panel. Stored in the database: any node can read it, and it survives a restart.
 * Decision 0065.
 */
export interface PanelSession {
  readonly app: App
  readonly grant: PanelGrant
  readonly expiresTime: Date
  /** The value of the cookie; only its hash is stored. */
  readonly key: string
  readonly linkHash: Uint8Array
}

/** An expired session still tells where to redirect its customer. */
export type FoundSession =
  | ({ readonly kind: 'open' } & PanelSession)
  | { readonly kind: 'over'; readonly app: App; readonly grant: PanelGrant }

const KEY = /^[0-9a-z]{38}$/

/** Opens a session and returns its key; undefined when the link has already opened one. */
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

/** Sessions are extended at most this often, to save writes. */
const SLACK_MS = MINUTE

export async function findPanelSession(ctx: Context, key: string): Promise<FoundSession | undefined> {
  const appId = KEY.test(key) ? appIdFromPart(key) : undefined
  // Read the session first: an invalid key then costs one short read, whatever app it names.
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

/** Whether the link opened this session; the link then leads back to it. */
export const wasOpenedBy = ({ linkHash }: PanelSession, token: string): boolean =>
  sameBytes(linkHash, sha256(token))

export const endPanelSession = (ctx: Context, { app, key }: PanelSession): Promise<void> =>
  endSession(ctx.db, app.appId, sha256(key), appNow(ctx, app))

/** Limits attempts per session, against card testing. */
export const takePanelTry = (ctx: Context, { app, key }: PanelSession): Promise<boolean> =>
  takeTry(ctx.db, app.appId, sha256(key), LIMITS.checkoutAttempts)
