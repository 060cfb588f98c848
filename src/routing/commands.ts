import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { App } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { forgetApp } from '../merchants/directory.ts'
import { diagnosisText } from '../merchants/profiles/diagnosis.ts'
import type { RoutingConfig } from '../merchants/routing-config.ts'
import { configOf } from './config.ts'
import { troubleOf } from './health.ts'
import { candidateOf, methodsOf, type OfferRequest, obstacle, withThreeDSecure } from './offers.ts'
import { obstacleText, rankReasonText } from './reasons.ts'
import { rank, sharesOf } from './rules.ts'
import { lockRouting, saveRouting } from './store.ts'

/** Replaces the whole routing configuration of the app. */
export async function changeRouting(ctx: Context, app: App, config: RoutingConfig): Promise<App> {
  await ctx.db.transaction(async (tx) => {
    const before = configOf({ routing: await lockRouting(tx, app.appId) })
    await saveRouting(tx, app.appId, config)
    await auditRouting(ctx, tx, app, { before, after: config })
  })
  forgetApp(ctx, app.appId)
  return { ...app, routing: config }
}

/** Sets or clears the profile that comes first for a currency. The rest of the routing stays as it is. */
export async function setDefaultProfile(
  ctx: Context,
  tx: Queryable,
  app: App,
  { currency, profileId }: { readonly currency: string; readonly profileId: number | null },
): Promise<void> {
  const before = configOf({ routing: await lockRouting(tx, app.appId) })
  const others = before.defaults.filter((one) => one.currency !== currency)
  const own = profileId === null ? [] : [{ currency, profileId }]
  const after = { ...before, defaults: [...others, ...own] }
  await saveRouting(tx, app.appId, after)
  await auditRouting(ctx, tx, app, { before, after })
}

const auditRouting = (
  ctx: Context,
  tx: Queryable,
  app: App,
  change: { readonly before: RoutingConfig; readonly after: RoutingConfig },
): Promise<void> =>
  auditApp(ctx, tx, app, { action: 'routing.changed', target: `app:${app.appId}`, ...change })

export const routingView = (app: App) => {
  const { defaults, routes, noFailoverAfter = [] } = configOf(app)
  return {
    defaultProfiles: defaults.map(({ currency, profileId }) => ({ currency, paymentProfileId: profileId })),
    routes: routes.map(({ profiles, ...conditions }) => ({
      ...conditions,
      profiles: profiles.map(({ profileId, weight }) => ({ paymentProfileId: profileId, weight })),
    })),
    noFailoverAfter,
    health: app.profiles.map(({ profileId, name, trouble }) => ({
      paymentProfileId: profileId,
      paymentProfileName: name,
      trouble: trouble && {
        explanation: diagnosisText(trouble.diagnosis),
        probedTime: trouble.until.toISOString(),
      },
    })),
  }
}

/** The profiles that could take such a payment, ranked with reasons, and the reasons why others cannot. */
export function explainRouting(ctx: Context, app: App, request: OfferRequest) {
  const all = app.profiles.flatMap((profile) => methodsOf(ctx, profile))
  const eligible = all
    .filter((offer) => obstacle(ctx, app, offer, request) === undefined)
    .map((offer) => withThreeDSecure(app, offer, request))
  const ranked = rank(eligible.map(candidateOf), configOf(app), request, troubleOf(app))
  const shares = sharesOf(ranked)
  return {
    profiles: ranked.map(({ candidate: { offer }, reasons }, index) => ({
      place: index + 1,
      paymentProfileId: offer.profile.profileId,
      paymentProfileName: offer.profile.name,
      method: offer.method,
      reasons,
      share: shares[index] ?? null,
    })),
    excluded: all.flatMap((offer) => {
      const reason = obstacle(ctx, app, offer, request)
      if (reason === undefined) return []
      return { paymentProfileId: offer.profile.profileId, method: offer.method, reason }
    }),
  }
}

/** In the words of the API. */
export const explainedView = ({ profiles, excluded }: ReturnType<typeof explainRouting>) => ({
  profiles: profiles.map(({ reasons, share: _, ...profile }) => ({
    ...profile,
    reasons: reasons.map(rankReasonText),
  })),
  excluded: excluded.map(({ reason, ...offer }) => ({ ...offer, reason: obstacleText(reason) })),
})
