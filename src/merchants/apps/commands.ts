import { assert } from '../../base/assert.ts'
import { isCurrency } from '../../base/currencies.ts'
import { type FieldError, invalid } from '../../base/errors.ts'
import { expected } from '../../base/mistakes.ts'
import { parseMinor } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { readId, readPatch } from '../../http/wire.ts'
import { type App, findProfile } from '../app.ts'
import { auditApp, changedMembers } from '../app-audit.ts'
import type { Clear } from '../app-rows.ts'
import { forgetApp, loadApp } from '../directory.ts'
import { claimHost, removeClaim } from '../hosts/claims.ts'
import { brandingChanges } from './branding.ts'
import { type BrandingChanges, updateBranding } from './branding-store.ts'
import { mailChanges } from './mails.ts'
import { type MailChanges, updateMails } from './mails-store.ts'
import { checkLoosening, loosened, namesProtection } from './rules.ts'
import { type AppPatch, type CheckoutPagePatch, MASK, type WebhookHealth } from './schema.ts'
import { type AppChanges, lockProtection, updateApp } from './store.ts'

/** The profile that comes first for a currency; null: none does. */
interface DefaultProfile {
  readonly currency: string
  readonly profileId: number | null
}

/** What features in higher layers add to the app: members of its answer, and a change that is theirs. */
export interface AppExtras {
  readonly webhookHealth?: (app: App) => Promise<WebhookHealth>
  readonly lastWebhook?: (app: App) => Promise<{ time: Date; error: string | null } | undefined>
  /** Remove the rows of a sandbox app that is emptied, in this order. */
  readonly clearers?: readonly Clear[]
  readonly setDefaultProfile?: (
    ctx: Context,
    tx: Queryable,
    app: App,
    wanted: DefaultProfile,
  ) => Promise<void>
}

export async function changeApp(ctx: Context, app: App, body: AppPatch, extras: AppExtras): Promise<App> {
  const { logo, branding } = body
  // The logo of the console's own request wins over that of the branding.
  const look = brandingChanges(branding || logo ? { ...branding, ...(logo ? { logo } : {}) } : undefined)
  const changes = changesOf(ctx, body)
  const wanted = defaultProfileOf(app, body)
  const mails = mailChanges(body.emails)
  await ctx.db.transaction(async (tx) => {
    await updateSettings(ctx, tx, app, changes)
    await brand(ctx, tx, app, look)
    await changeMails(ctx, tx, app, mails)
    if (wanted) await extras.setDefaultProfile?.(ctx, tx, app, wanted)
  })
  return reread(ctx, app)
}

/** A new host name takes effect when it is proved; until then the one from before stays. */
export async function changeCheckoutPage(ctx: Context, app: App, body: CheckoutPagePatch): Promise<App> {
  const host = emptyIsNull(readPatch(body.domain))
  const look = {
    slogan1: emptyIsNull(readPatch(body.checkoutSlogan1)),
    slogan2: emptyIsNull(readPatch(body.checkoutSlogan2)),
  }
  await ctx.db.transaction(async (tx) => {
    if (host) await claimHost(ctx, tx, app, host)
    if (host === null) {
      await removeClaim(tx, app)
      await updateSettings(ctx, tx, app, { checkoutHost: null })
    }
    await brand(ctx, tx, app, look)
  })
  return reread(ctx, app)
}

export const removeCheckoutHost = (ctx: Context, app: App): Promise<App> =>
  changeCheckoutPage(ctx, app, { domain: { value: null } })

async function updateSettings(ctx: Context, tx: Queryable, app: App, changes: AppChanges): Promise<void> {
  if (namesProtection(changes))
    checkLoosening(ctx.actor, loosened(await lockProtection(tx, app.appId), changes))
  // Also without a difference: the cached app may be older than a change on another node.
  await updateApp(tx, app.appId, changes)
  const changed = changedMembers(app, changes)
  if (changed) await auditApp(ctx, tx, app, { action: 'app.changed', target: `app:${app.appId}`, ...changed })
}

async function brand(ctx: Context, tx: Queryable, app: App, look: BrandingChanges): Promise<void> {
  const { logo, ...texts } = look
  if (Object.values(look).every((value) => value === undefined)) return
  await updateBranding(tx, app.appId, look)
  const changed = changedMembers(app.branding, {
    ...texts,
    logoHash: logo === undefined ? undefined : (logo?.hash ?? null),
  })
  if (changed)
    await auditApp(ctx, tx, app, { action: 'branding.changed', target: `app:${app.appId}`, ...changed })
}

async function changeMails(ctx: Context, tx: Queryable, app: App, changes: MailChanges): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return
  await updateMails(tx, app.appId, changes)
  const changed = changedMembers(app.mails, changes)
  if (changed)
    await auditApp(ctx, tx, app, { action: 'emails.changed', target: `app:${app.appId}`, ...changed })
}

async function reread(ctx: Context, { appId }: App): Promise<App> {
  forgetApp(ctx, appId)
  const fresh = await loadApp(ctx, appId)
  assert(fresh, 'an app is never deleted')
  return fresh
}

/** An empty text clears like `{ "value": null }`: forms send it for a field left blank. */
const emptyIsNull = (value: string | null | undefined): string | null | undefined =>
  value === '' ? null : value

function changesOf(ctx: Context, body: AppPatch): AppChanges {
  const policy = readPatch(body.defaultFraudPolicyId)
  return {
    friendlyName: readPatch(body.friendlyName) ?? undefined,
    paymentWebhookUrl: emptyIsNull(readPatch(body.paymentWebhookUrl)),
    webhookAuthScheme: emptyIsNull(readPatch(body.webhookAuthorizationHeaderScheme)),
    webhookAuthParameter: sealedParameter(ctx, readPatch(body.webhookAuthorizationHeaderParameter)),
    defaultFraudPolicyId: policy === undefined ? undefined : (readId(policy ?? '') ?? null),
    maxRefundsDaily: readPatch(body.maxThresholdRefundCountDaily),
    refundApprovalAbove: approvalOf(body),
    refundEmails: emailsOf(body),
    twoFactorRequired: cleared(readPatch(body.isTwoFactorAuthenticationEnabled), false),
    requireOtpForApiKeys: cleared(readPatch(body.requireOtpForApiKeys), false),
    timeZone: cleared(readPatch(body.timeZone), 'UTC'),
    monthStartsOn: cleared(readPatch(body.monthStartsOn), 1),
    personalDataDays: readPatch(body.personalDataDays),
    retryGuard: cleared(readPatch(body.retryGuard), true),
    acceptLatePayments: cleared(readPatch(body.acceptLatePayments), false),
    statementDescriptor: emptyIsNull(readPatch(body.statementDescriptor)),
  }
}

/** `{ "value": null }` returns a setting to its default. */
const cleared = <Value>(value: Value | null | undefined, standard: Value): Value | undefined =>
  value === null ? standard : value

function approvalOf(body: AppPatch): App['refundApprovalAbove'] | undefined {
  const amounts = cleared(readPatch(body.refundApprovalAbove), [])
  return (
    amounts &&
    Object.fromEntries(
      amounts.map(({ currency, amount }) => {
        const minor = isCurrency(currency) ? parseMinor(amount, currency) : undefined
        if (minor === undefined) throw invalid([expected('refundApprovalAbove', 'amountOf', { currency })])
        return [currency, String(minor)]
      }),
    )
  )
}

function emailsOf(body: AppPatch): readonly string[] | undefined {
  const emails = cleared(readPatch(body.refundProcessReceiverEmails), [])
  return emails && [...new Set(emails.map((one) => (typeof one === 'string' ? one : one.emailAddress)))]
}

function sealedParameter(ctx: Context, parameter: string | null | undefined): Uint8Array | null | undefined {
  if (parameter === undefined || parameter === MASK) return undefined
  return parameter ? ctx.vault.seal(parameter) : null
}

function defaultProfileOf(app: App, { defaultRoutedProfile }: AppPatch): DefaultProfile | undefined {
  if (!defaultRoutedProfile) return undefined
  const { currency, paymentProfileId } = defaultRoutedProfile
  const errors: FieldError[] = []
  if (!isCurrency(currency)) errors.push(expected('defaultRoutedProfile.currency', 'currency'))
  const profileId = paymentProfileId == null ? null : (readId(paymentProfileId) ?? -1)
  if (profileId !== null && !findProfile(app, profileId))
    errors.push(expected('defaultRoutedProfile.paymentProfileId', 'profile', { id: profileId }))
  if (errors.length > 0) throw invalid(errors)
  return { currency, profileId }
}
