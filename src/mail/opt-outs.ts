import { hmacSha256, sameBytes } from '../base/secret.ts'
import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { hasOptedOut, insertOptOut } from './opt-outs-store.ts'

// Payers may unsubscribe from the reminders of an app. The link names the app and a hash of the address.

type Ctx = Pick<Context, 'vault'>

const hashOf = ({ vault }: Ctx, address: string): Buffer =>
  hmacSha256(vault.derive('mail-opt-out'), address.toLowerCase()).subarray(0, 16)

const signature = ({ vault }: Ctx, text: string): Buffer =>
  hmacSha256(vault.derive('mail-unsubscribe'), text).subarray(0, 16)

export function unsubscribeUrl(ctx: Pick<Context, 'vault' | 'config'>, appId: string, to: string): string {
  const text = `${appId}.${hashOf(ctx, to).toString('base64url')}`
  return `${ctx.config.publicUrl}/unsubscribe/${text}.${signature(ctx, text).toString('base64url')}`
}

export interface Unsubscription {
  readonly app: App
  readonly hash: Uint8Array
}

/** Verifies the token of a link; undefined when it is not one of ours. */
export async function readUnsubscription(ctx: Context, token: string): Promise<Unsubscription | undefined> {
  const [appId = '', hash = '', mac = '', ...rest] = token.split('.')
  const isOurs = sameBytes(Buffer.from(mac, 'base64url'), signature(ctx, `${appId}.${hash}`))
  const app = isOurs && rest.length === 0 ? await loadApp(ctx, appId) : undefined
  return app && { app, hash: Buffer.from(hash, 'base64url') }
}

export const unsubscribe = (ctx: Context, { app, hash }: Unsubscription): Promise<void> =>
  insertOptOut(ctx.db, app.appId, hash, ctx.clock.now())

export const isUnsubscribed = (
  ctx: Pick<Context, 'db' | 'vault'>,
  appId: string,
  to: string,
): Promise<boolean> => hasOptedOut(ctx.db, appId, hashOf(ctx, to))
