import { type Clock, MINUTE } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import { errorData, type Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { slot } from '../node/slot.ts'
import type { App, AppMails, Branding, Profile } from './app.ts'
import { createCache } from './cache.ts'
import {
  type AppRow,
  type ProfileRow,
  selectApp,
  selectCheckoutHosts,
  selectKey,
  touchKey,
} from './directory-store.ts'

interface Ctx {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

export interface LiveKey {
  readonly appId: string
  readonly keyId: string
  readonly name: string
  readonly expiresTime: Date | null
  /** Null: the key may do everything. */
  readonly scopes: readonly string[] | null
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

async function readKey(ctx: Ctx, name: string): Promise<LiveKey | undefined> {
  const [appId = '', hash = ''] = name.split(':')
  const row = await selectKey(ctx.db, appId, Buffer.from(hash, 'base64'))
  if (!row) return undefined
  const { key_id, name: keyName, expires_time, scopes } = row
  return { appId, keyId: key_id, name: keyName, expiresTime: expires_time, scopes }
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

function toApp(row: AppRow): App {
  return {
    appId: row.app_id,
    licenseId: row.license_id,
    isSandbox: row.is_sandbox,
    isActive: row.is_active,
    friendlyName: row.friendly_name,
    createdTime: dateOf(row.created_time),
    paymentWebhookUrl: row.payment_webhook_url,
    webhookAuthScheme: row.webhook_auth_scheme,
    webhookAuthParameter: maybe(row.webhook_auth_parameter, bytesOf),
    webhookSecret: bytesOf(row.webhook_secret),
    webhookPreviousSecret: maybe(row.webhook_previous_secret, bytesOf),
    webhookPreviousUntil: maybe(row.webhook_previous_until, dateOf),
    isSigningEnabled: row.is_signing_enabled,
    defaultFraudPolicyId: row.default_fraud_policy_id,
    hasFraudPolicies: row.has_fraud_policies,
    routing: row.routing,
    checkoutMethods: row.checkout_methods,
    hasFirstCapture: row.has_first_capture,
    clockOffsetMs: row.clock_offset_ms,
    webhooksHeldUntil: maybe(row.webhooks_held_until, dateOf),
    maxRefundsDaily: row.max_refunds_daily,
    refundEmails: row.refund_emails,
    timeZone: row.time_zone,
    checkoutHost: row.checkout_host,
    isCheckoutHostProven: row.is_host_proven,
    hostClaim: row.host_claim,
    twoFactorRequired: row.two_factor_required,
    requireOtpForApiKeys: row.require_otp_for_api_keys,
    personalDataDays: row.personal_data_days,
    branding: brandingOf(row),
    mails: mailsOf(row),
    profiles: row.profiles.map(toProfile),
  }
}

const brandingOf = (row: AppRow): Branding => ({
  logoHash: row.logo_hash,
  color: row.color,
  slogan1: row.slogan1,
  slogan2: row.slogan2,
  support: row.support,
  termsUrl: row.terms_url,
  privacyUrl: row.privacy_url,
  locale: row.locale,
  theme: row.theme,
  showPoweredBy: row.show_powered_by,
})

const mailsOf = (row: AppRow): AppMails => ({
  payer: row.payer_mails,
  team: row.team_mails,
  fromName: row.mail_from_name,
  replyTo: row.mail_reply_to,
  teamAddresses: row.team_addresses,
})

const toProfile = (row: ProfileRow): Profile => ({
  profileId: row.profile_id,
  name: row.name,
  provider: row.provider,
  methods: row.methods,
  currency: row.currency,
  currencies: row.currencies,
  isActive: row.is_active,
  settings: bytesOf(row.settings),
  webhookKey: row.webhook_key,
  createdTime: dateOf(row.created_time),
  fees: row.fees,
  account: row.account,
  lastNotificationTime: row.last_notification_time === null ? null : dateOf(row.last_notification_time),
  trouble: troubleOf(row),
})

function troubleOf({ trouble, trouble_failures, trouble_due_time }: ProfileRow): Profile['trouble'] {
  if (trouble === null || trouble_failures === null || trouble_due_time === null) return null
  return { says: trouble, failures: trouble_failures, until: dateOf(trouble_due_time) }
}
