import { after, SECOND } from '../../base/clock.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { appPart, randomText } from '../../base/ids.ts'
import { LIMITS } from '../../base/limits.ts'
import { expected } from '../../base/mistakes.ts'
import { hmacSha256, sameBytes, sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { Page } from '../../db/page.ts'
import type { App } from '../app.ts'
import { auditApp } from '../app-audit.ts'
import { forgetApp } from '../directory.ts'
import {
  countActiveKeys,
  expireKeyRow,
  findKeyRow,
  findLicenseKey,
  insertKey,
  keyNames,
  listKeys,
  renameKeyRow,
  revokeKeyRow,
  type StoredKey,
} from './store.ts'

/** The fields of an app that a key needs; available while the app is being created. */
export type KeyOwner = Pick<App, 'appId' | 'isSandbox'>

/** A new key with its secret, shown once. */
export interface ShownKey {
  readonly row: StoredKey
  readonly apiKey: string
}

interface KeyOptions {
  readonly name: string
  readonly expiresTime?: Date | null
  /** The person whose one-time codes the key may need. */
  readonly createdBy?: string | null
  /** Null: full access. */
  readonly scopes: readonly string[] | null
}

const SECRET_CHARACTERS = 32
const HINT_CHARACTERS = 4

const keyText = ({ appId, isSandbox }: KeyOwner, secret: string): string =>
  `sk_${isSandbox ? 'sandbox' : 'live'}_${appPart(appId)}${secret}`

export async function issueKey(
  ctx: Context,
  db: Queryable,
  owner: KeyOwner,
  { name, expiresTime = null, createdBy, scopes }: KeyOptions,
): Promise<ShownKey> {
  const apiKey = keyText(owner, randomText(ctx.random, SECRET_CHARACTERS))
  const keyId = newKeyId(ctx)
  const row = await insertKey(db, {
    ...stored(owner, keyId, apiKey),
    name,
    kind: 'app',
    now: ctx.clock.now(),
    expiresTime,
    createdBy: createdBy ?? null,
    scopes,
  })
  return { row, apiKey }
}

const newKeyId = (ctx: Context): string => `key_${randomText(ctx.random, 16)}`

const stored = ({ appId }: KeyOwner, keyId: string, apiKey: string) => ({
  appId,
  keyId,
  hash: sha256(apiKey),
  hint: apiKey.slice(-HINT_CHARACTERS),
})

/** Throws 403 when the key could do more than its giver. The service itself has no actor and gives any. */
function checkGrants({ actor }: Pick<Context, 'actor'>, scopes: readonly string[] | null): void {
  if (!actor || actor.grants === null) return
  const { grants = [] } = actor
  if (scopes?.every((scope) => grants.includes(scope))) return
  const most = grants.length > 0 ? `the scopes ${grants.join(', ')}` : 'no scope'
  throw new ApiError('forbidden', `You may give a key ${most} and not more: it may do what you may do.`)
}

/** Creates a further key, which may not do more than the actor. */
export async function createKey(ctx: Context, app: App, options: KeyOptions): Promise<ShownKey> {
  checkGrants(ctx, options.scopes)
  if (options.expiresTime && options.expiresTime <= ctx.clock.now())
    throw new ApiError('not_possible', 'expiresTime must lie in the future.', {
      errors: [expected('expiresTime', 'future')],
    })
  return ctx.db.transaction(async (tx) => {
    await checkRoom(ctx, tx, app)
    const shown = await issueKey(ctx, tx, app, { createdBy: personOf(ctx), ...options })
    await auditKey(ctx, tx, app, { action: 'key.created', row: shown.row })
    return shown
  })
}

/** Rate limits apply per key, so the number of keys is limited too. The licence's own key is not counted. */
async function checkRoom(ctx: Context, tx: Queryable, { appId }: KeyOwner): Promise<void> {
  const count = await countActiveKeys(tx, appId, ctx.clock.now())
  if (count >= LIMITS.apiKeys)
    throw new ApiError(
      'too_many_api_keys',
      `The app has ${count} active API keys and may have ${LIMITS.apiKeys}. Revoke one first.`,
    )
}

export async function keyPage(ctx: Context, app: App, after: string | undefined): Promise<Page<StoredKey>> {
  // One row more than the page holds tells whether there is a next page.
  const rows = await listKeys(ctx.db, app.appId, { after, limit: LIMITS.pageSize + 1 })
  return { items: rows.slice(0, LIMITS.pageSize), hasNext: rows.length > LIMITS.pageSize }
}

/**
 * Creates a key with the same name and scopes; the old one stays valid during the overlap. The new one is
 * shown to the actor, so it may not do more than the actor either.
 */
export async function rotateKey(
  ctx: Context,
  app: App,
  keyId: string,
  overlapSeconds: number,
): Promise<ShownKey> {
  const shown = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const known = await findKeyRow(tx, app.appId, keyId)
    if (!known) throw notFound('The API key')
    checkGrants(ctx, known.scopes)
    const end = after(now, overlapSeconds * SECOND)
    const old = await expireKeyRow(tx, { appId: app.appId, keyId }, end, now)
    if (!old)
      throw new ApiError('not_possible', 'A revoked or expired key cannot be rotated: create a new one.')
    await checkRoom(ctx, tx, app)
    // The person who rotates a key answers for it from now on; a key that rotates keeps its person.
    const shown = await issueKey(ctx, tx, app, {
      name: old.name,
      createdBy: personOf(ctx) ?? old.createdBy,
      scopes: old.scopes,
    })
    await auditKey(ctx, tx, app, { action: 'key.rotated', row: old, after: { keyId: shown.row.keyId } })
    return shown
  })
  forgetApp(ctx, app.appId)
  return shown
}

/** Revokes a key at once. The last key may be revoked too: the licence code still gives access. */
export async function revokeKey(ctx: Context, app: App, keyId: string): Promise<StoredKey> {
  const revoked = await ctx.db.transaction(async (tx) => {
    const row = await revokeKeyRow(tx, app.appId, keyId, ctx.clock.now())
    if (!row) throw notFound('The API key')
    await auditKey(ctx, tx, app, { action: 'key.revoked', row })
    return row
  })
  forgetApp(ctx, app.appId)
  return revoked
}

/** The key stays the same. */
export async function renameKey(ctx: Context, app: App, keyId: string, name: string): Promise<StoredKey> {
  return ctx.db.transaction(async (tx) => {
    const known = await findKeyRow(tx, app.appId, keyId)
    const row = await renameKeyRow(tx, app.appId, keyId, name)
    if (!known || !row) throw notFound('The API key')
    await auditKey(ctx, tx, app, { action: 'key.renamed', row, before: { name: known.name } })
    return row
  })
}

const personOf = ({ actor }: Context): string | null => (actor?.kind === 'person' ? actor.id : null)

interface KeyEntry {
  readonly action: string
  readonly row: StoredKey
  readonly before?: object
  readonly after?: object
}

const auditKey = (
  ctx: Context,
  tx: Queryable,
  app: App,
  { action, row, before, after }: KeyEntry,
): Promise<void> =>
  auditApp(ctx, tx, app, {
    action,
    ...(before ? { before } : {}),
    target: `key:${row.keyId}`,
    after: { name: row.name, hint: row.hint, expiresTime: row.expiresTime, scopes: row.scopes, ...after },
  })

/**
 * The key that the licence code gives out. It is the same each time although only hashes are stored: its
 * secret is derived from the installation's secret and the key id. A new key is made when there is no live
 * one or the installation's secret has changed.
 */
export async function licenseKey(ctx: Context, owner: KeyOwner): Promise<string> {
  const now = ctx.clock.now()
  const known = await findLicenseKey(ctx.db, owner.appId, now)
  if (known) {
    const apiKey = keyText(owner, derivedSecret(ctx, owner.appId, known.keyId))
    if (sameBytes(sha256(apiKey), known.keyHash)) return apiKey
  }
  const keyId = newKeyId(ctx)
  const apiKey = keyText(owner, derivedSecret(ctx, owner.appId, keyId))
  const key = { ...stored(owner, keyId, apiKey), name: 'Licence', kind: 'license' as const }
  await insertKey(ctx.db, { ...key, now, expiresTime: null, createdBy: null, scopes: null })
  forgetApp(ctx, owner.appId)
  return apiKey
}

/** Whether the key was derived from the installation's present secret. */
export const isCurrentLicenseKey = (
  ctx: Pick<Context, 'vault'>,
  owner: KeyOwner,
  { keyId, hash }: { readonly keyId: string; readonly hash: Uint8Array },
): boolean => sameBytes(sha256(keyText(owner, derivedSecret(ctx, owner.appId, keyId))), hash)

function derivedSecret(ctx: Pick<Context, 'vault'>, appId: string, keyId: string): string {
  const digest = hmacSha256(ctx.vault.derive('license-keys'), `${appId}:${keyId}`)
  // Five bits a character, as for random keys: 32 bytes give 32 characters.
  return randomText({ bytes: () => digest }, SECRET_CHARACTERS)
}

export const hasKey = async (ctx: Pick<Context, 'db'>, app: App, keyId: string): Promise<boolean> =>
  (await findKeyRow(ctx.db, app.appId, keyId)) !== undefined

/** The person who made the key; null: none. */
export const keyCreator = async (ctx: Pick<Context, 'db'>, app: App, keyId: string): Promise<string | null> =>
  (await findKeyRow(ctx.db, app.appId, keyId))?.createdBy ?? null

/** The names of these keys, by id. */
export const namesOfKeys = (ctx: Context, app: App, keyIds: readonly string[]) =>
  keyNames(ctx.db, app.appId, keyIds)
