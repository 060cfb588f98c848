import { majorNumber } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import { type App, findProfile } from '../app.ts'
import { proofOf } from '../hosts/proof.ts'
import { profileSummary } from '../profiles/view.ts'
import { checkoutOrigin } from '../urls.ts'
import { brandingView } from './branding.ts'
import type { AppExtras } from './commands.ts'
import { mailsView } from './mails.ts'
import { MASK } from './schema.ts'

export async function appView(ctx: Context, app: App, extras: AppExtras) {
  const { webhookHealth, lastWebhook } = extras
  const last = await lastWebhook?.(app)
  return {
    appId: app.appId,
    friendlyName: app.friendlyName,
    isSandbox: app.isSandbox,
    isActive: app.isActive,
    createdTime: app.createdTime.toISOString(),
    isSetupCompleted: app.profiles.some((profile) => profile.isActive),
    isConnectFirstGateway: app.profiles.length > 0,
    hasFirstCapturePayment: app.hasFirstCapture,
    defaultFraudPolicyId: app.defaultFraudPolicyId,
    checkoutMethods: app.checkoutMethods,
    webhookSettings: {
      paymentWebhookUrl: app.paymentWebhookUrl,
      webhookAuthorizationHeaderScheme: app.webhookAuthScheme,
      webhookAuthorizationHeaderParameter: app.webhookAuthParameter === null ? null : MASK,
      isSigningEnabled: app.isSigningEnabled,
    },
    ...(webhookHealth ? { webhookHealth: await webhookHealth(app) } : {}),
    lastWebhookProcessTime: last?.time.toISOString() ?? null,
    lastWebhookError: last?.error ?? null,
    defaultRoutedProfiles: defaultProfiles(ctx, app),
    maxThresholdRefundCountDaily: app.maxRefundsDaily,
    refundApprovalAbove: Object.entries(app.refundApprovalAbove).map(([currency, minor]) => ({
      currency,
      amount: majorNumber(BigInt(minor), currency),
    })),
    refundProcessReceiverEmails: app.refundEmails.map((emailAddress) => ({ emailAddress })),
    isTwoFactorAuthenticationEnabled: app.twoFactorRequired,
    requireOtpForApiKeys: app.requireOtpForApiKeys,
    ...checkoutView(ctx, app),
    licenseExpirationTime: null,
    licenseAmount: null,
    licenseRenewCalculatedTime: null,
    hasAppliance: false,
    showFraudPolicyInDashboard: true,
    timeZone: app.timeZone,
    monthStartsOn: app.monthStartsOn,
    personalDataDays: app.personalDataDays,
    retryGuard: app.retryGuard,
    acceptLatePayments: app.acceptLatePayments,
    statementDescriptor: app.statementDescriptor,
    branding: brandingView(ctx, app),
    emails: mailsView(app.mails),
  }
}

function checkoutView(ctx: Context, app: App) {
  const { slogan1, slogan2 } = app.branding
  return {
    logo: brandingView(ctx, app).logoUrl,
    hostedPageBaseUrl: checkoutOrigin(ctx, app),
    canRemoveHostedPageDomain: app.checkoutHost !== null || app.hostClaim !== null,
    hostProof: app.hostClaim && { ...proofOf(app.appId, app.hostClaim), recordType: 'TXT' as const },
    targetCName: new URL(ctx.config.publicUrl).hostname,
    checkoutSlogan1: slogan1,
    checkoutSlogan2: slogan2,
  }
}

function defaultProfiles(ctx: Context, app: App) {
  return (app.routing?.defaults ?? []).flatMap(({ currency, profileId }) => {
    const profile = findProfile(app, profileId)
    return profile ? { currency, paymentProfile: profileSummary(ctx, profile) } : []
  })
}
