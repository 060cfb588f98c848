import { hmacSha256, sameBytes } from '../base/secret.ts'
import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { mailKeys } from './hash-keys.ts'
import { hasOptedOut, insertOptOut } from './opt-outs-store.ts'

// Payers may unsubscribe from the reminders of an app. The link names the app and a hash of the address.

type Ctx = Pick<Context, 'db' | 'vault'>

const hashWith = (key: Uint8Array, text: string): Buffer => hmacSha256(key, text).subarray(0, 16)

export async function unsubscribeUrl(
  ctx: Ctx & Pick<Context, 'config'>,
  appId: string,
  to: string,
): Promise<string> {
  const [hashKey] = await mailKeys(ctx, 'mail-opt-out')
  const [linkKey] = await mailKeys(ctx, 'mail-unsubscribe')
  const text = `${appId}.${hashWith(hashKey, to.toLowerCase()).toString('base64url')}`
  return `${ctx.config.publicUrl}/unsubscribe/${text}.${hashWith(linkKey, text).toString('base64url')}`
}

export interface Unsubscription {
  readonly app: App
  readonly hash: Uint8Array
}

/** Verifies the token of a link; undefined when it is not one of ours. */
export async function readUnsubscription(ctx: Context, token: string): Promise<Unsubscription | undefined> {
  const [appId = '', hash = '', mac = '', ...rest] = token.split('.')
  const keys = await mailKeys(ctx, 'mail-unsubscribe')
  const given = Buffer.from(mac, 'base64url')
  const isOurs = keys.some((key) => sameBytes(given, hashWith(key, `${appId}.${hash}`)))
  const app = isOurs && rest.length === 0 ? await loadApp(ctx, appId) : undefined
  return app && { app, hash: Buffer.from(hash, 'base64url') }
}

export const unsubscribe = (ctx: Context, { app, hash }: Unsubscription): Promise<void> =>
  insertOptOut(ctx.db, app.appId, hash, ctx.clock.now())

export async function isUnsubscribed(ctx: Ctx, appId: string, to: string): Promise<boolean> {
  const keys = await mailKeys(ctx, 'mail-opt-out')
  const hashes = keys.map((key) => hashWith(key, to.toLowerCase()))
  return hasOptedOut(ctx.db, appId, hashes)
}
