import { newAppId, newLicenseId, newWebhookSecret, type Random, randomText } from '../../base/ids.ts'
import { sameBytes, sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { Page } from '../../db/page.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'
import { issueKey, licenseKey } from '../keys/commands.ts'
import { storeProfile } from '../profiles/commands.ts'
import {
  anyLicense,
  type Business,
  findLicenseName,
  insertApp,
  insertLicense,
  type ListedLicense,
  listCodeHashes,
  listLicenseApps,
  listLicenses,
  updateBusiness,
} from './store.ts'

/** A new licence with its secrets, shown once. */
export interface ShownLicense {
  readonly licenseId: string
  readonly licenseName: string
  readonly authorizationCode: string
  readonly apps: readonly ShownApp[]
}

interface ShownApp {
  readonly appId: string
  readonly isSandbox: boolean
  readonly friendlyName: string
  readonly apiKey: string
  readonly webhookSecret: string
}

const SANDBOX_PROVIDER = 'sandbox'
const SANDBOX_PROFILES = {
  CreditCard: 'Sandbox cards',
  ElectronicCheck: 'Sandbox bank accounts',
  Crypto: 'Sandbox crypto',
  Paypal: 'Sandbox PayPal',
} as const

/**
 * Creates a merchant: a sandbox app ready for test payments, and a live app without a provider. Without the
 * built-in provider the sandbox app has no provider either.
 */
export const createLicense = (ctx: Context, licenseName: string): Promise<ShownLicense> =>
  ctx.db.transaction((tx) => openLicense(ctx, tx, licenseName))

export const newCode = (random: Random): string => `lc_${randomText(random, 40)}`

/** The same within a transaction. */
export async function openLicense(ctx: Context, tx: Queryable, licenseName: string): Promise<ShownLicense> {
  const licenseId = newLicenseId(ctx.random)
  const authorizationCode = newCode(ctx.random)
  const sandboxId = newAppId(ctx.random)
  const settings = ctx.providers.get(SANDBOX_PROVIDER)?.openAccount?.(sandboxId)
  const now = ctx.clock.now()
  await insertLicense(tx, { licenseId, name: licenseName, codeHash: sha256(authorizationCode), now })
  const sandbox = { appId: sandboxId, isSandbox: true, friendlyName: `${licenseName} (sandbox)` }
  const live = { appId: newAppId(ctx.random), isSandbox: false, friendlyName: `${licenseName} (live)` }
  const apps = [await openApp(ctx, tx, licenseId, sandbox), await openApp(ctx, tx, licenseId, live)]
  if (settings) await addSandboxProfiles(ctx, tx, sandboxId, settings)
  return { licenseId, licenseName, authorizationCode, apps }
}

type AppBasics = Pick<ShownApp, 'appId' | 'isSandbox' | 'friendlyName'>

async function openApp(ctx: Context, tx: Queryable, licenseId: string, app: AppBasics): Promise<ShownApp> {
  const webhookSecret = newWebhookSecret(ctx.random)
  await insertApp(tx, {
    ...app,
    licenseId,
    webhookSecret: ctx.vault.seal(webhookSecret),
    checkoutMethods: METHOD_KINDS,
    now: ctx.clock.now(),
  })
  const { apiKey } = await issueKey(ctx, tx, app, { name: 'First key', scopes: null })
  return { ...app, apiKey, webhookSecret }
}

async function addSandboxProfiles(
  ctx: Context,
  tx: Queryable,
  appId: string,
  settings: object,
): Promise<void> {
  for (const method of METHOD_KINDS)
    await storeProfile(ctx, tx, appId, {
      name: SANDBOX_PROFILES[method],
      provider: SANDBOX_PROVIDER,
      methods: [method],
      currency: 'USD',
      currencies: null,
      isActive: true,
      settings,
    })
}

/** Undefined members stay as they are. The caller forgets the apps after its commit. */
export const describeBusiness = (tx: Queryable, licenseId: string, business: Business): Promise<string[]> =>
  updateBusiness(tx, licenseId, business)

/** Whether any licence exists. */
export const hasLicense = (ctx: Context): Promise<boolean> => anyLicense(ctx.db)

export const isLicenseId = (text: string): boolean => /^lic_[0-9a-z]{16}$/.test(text)

/** Whether the code is the licence's own or one that was granted to a shop. */
export async function findLicenseByCode(ctx: Context, licenseId: string, code: string): Promise<boolean> {
  const hashes = await listCodeHashes(ctx.db, licenseId)
  return hashes.some((hash) => sameBytes(hash, sha256(code)))
}

export interface LicensedApp {
  readonly isSandbox: boolean
  readonly appId: string
  readonly authorizationCode: string
}

/** The apps of a licence, each with a valid key. */
export async function licensedApps(ctx: Context, licenseId: string): Promise<LicensedApp[]> {
  const apps = await listLicenseApps(ctx.db, licenseId)
  return Promise.all(
    apps.map(async (app) => ({
      isSandbox: app.isSandbox,
      appId: app.appId,
      authorizationCode: await licenseKey(ctx, app),
    })),
  )
}

/** The apps of a licence, sandbox first. */
export const appIdsOfLicense = async (ctx: Pick<Context, 'db'>, licenseId: string): Promise<string[]> =>
  (await listLicenseApps(ctx.db, licenseId)).map((row) => row.appId)

export const licenseName = (
  { db }: { readonly db: Queryable },
  licenseId: string,
): Promise<string | undefined> => findLicenseName(db, licenseId)

const LICENSES_SHOWN = 50

/** For the operator. */
export async function licensePage(ctx: Context, after: string): Promise<Page<ListedLicense>> {
  const found = await listLicenses(ctx.db, after, LICENSES_SHOWN + 1)
  return { items: found.slice(0, LICENSES_SHOWN), hasNext: found.length > LICENSES_SHOWN }
}
