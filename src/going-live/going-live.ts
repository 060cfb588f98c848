import { auditEntries } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { isPrivateHost } from '../merchants/profiles/connect.ts'
import { unprovenOf } from '../merchants/profiles/unproven.ts'
import { flushSearch } from '../payments/search/writing/writer.ts'
import { type StoredFacts, selectBackup, selectFacts } from './store.ts'

/** What a live app should have before its first customer, in the order in which it is done. */
export const GOING_LIVE_ITEMS = [
  'provider',
  'notification',
  'address',
  'webhook',
  'mail',
  'secondFactor',
  'fraud',
  'branding',
  'backup',
  'payment',
] as const
export type GoingLiveItem = (typeof GOING_LIVE_ITEMS)[number]

/** Parts that an item may lack. */
export const MISSING_PARTS = [
  ...['answer', 'signature'],
  ...['name', 'logo', 'terms', 'support'],
  ...['payment', 'refund'],
] as const
type MissingPart = (typeof MISSING_PARTS)[number]

export interface ItemState {
  readonly item: GoingLiveItem
  readonly isDone: boolean
  /** Of an item with several parts: those that are open. */
  readonly missing: readonly MissingPart[]
  /** When it was last seen, where that is known. */
  readonly time: Date | null
}

/** Nothing is ticked by hand: each item follows from what the service knows. Decision 0170. */
export async function goingLive(ctx: Context, app: App): Promise<readonly ItemState[]> {
  const [facts, rotations] = await Promise.all([
    selectFacts(ctx.db, app.appId, app.licenseId),
    auditEntries(ctx, app.licenseId, { appId: app.appId, action: 'webhook_secret.rotated', limit: 1 }),
  ])
  const isSigned = app.isSigningEnabled && rotations.length > 0
  const states: Readonly<Record<GoingLiveItem, Omit<ItemState, 'item'>>> = {
    ...providerStates(ctx, app),
    address: fact(isPublic(ctx.config.publicUrl)),
    webhook: parts({ answer: app.firstWebhookTime !== null, signature: isSigned }),
    mail: fact(ctx.config.mail !== undefined),
    secondFactor: fact(facts.unprotectedOwners === 0),
    fraud: fact(app.defaultFraudPolicyId !== null),
    branding: brandingState(app),
    backup: fact(facts.backupTime !== null, facts.backupTime),
    payment: parts({ payment: app.hasFirstCapture, refund: facts.hasRefund }),
  }
  return GOING_LIVE_ITEMS.map((item) => ({ item, ...states[item] }))
}

const fact = (isDone: boolean, time: Date | null = null) => ({ isDone, missing: [], time })

function parts(done: Partial<Record<MissingPart, boolean>>) {
  const missing = MISSING_PARTS.filter((part) => done[part] === false)
  return { isDone: missing.length === 0, missing, time: null }
}

function providerStates(ctx: Context, { profiles }: App) {
  const active = profiles.filter(({ isActive }) => isActive)
  const accepted = active.filter((profile) => !unprovenOf(ctx, profile).includes('credentials'))
  const times = active.flatMap(({ lastNotificationTime: time }) => (time ? [time.getTime()] : []))
  const last = times.length > 0 ? new Date(Math.max(...times)) : null
  return { provider: fact(accepted.length > 0), notification: fact(last !== null, last) }
}

const isPublic = (url: string): boolean => url.startsWith('https://') && !isPrivateHost(url)

/** The name that a new app gets says which app it is, and is not one for customers. */
const isOwnName = (name: string): boolean => !/ \((?:live|sandbox)\)$/.test(name)

const brandingState = ({ friendlyName, branding }: App) =>
  parts({
    name: isOwnName(friendlyName),
    logo: branding.logoHash !== null,
    terms: branding.termsUrl !== null,
    support: branding.support !== null,
  })

/** What was tried in an app at any time, for the first steps of a sandbox app. */
export async function triedSteps(
  ctx: Context,
  app: App,
): Promise<Pick<StoredFacts, 'hasRefund' | 'hasDecline'> & { readonly hasProvider: boolean }> {
  await flushSearch(ctx, app.appId)
  const { hasRefund, hasDecline } = await selectFacts(ctx.db, app.appId, app.licenseId)
  const hasProvider = app.profiles.some(
    (profile) => !ctx.providers.get(profile.provider)?.openAccount && unprovenOf(ctx, profile).length === 0,
  )
  return { hasRefund, hasDecline, hasProvider }
}

/** When the installation was backed up, as far as the database knows. */
export const lastBackup = (ctx: Pick<Context, 'db'>): Promise<Date | null> => selectBackup(ctx.db)
