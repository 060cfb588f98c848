import Type from 'typebox'
import { notFound } from '../base/errors.ts'
import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { createRateLimiter, type RatePolicy } from '../http/limits/rate-limit.ts'
import { createGate } from '../http/limits/unknown-secrets.ts'
import { type Route, route } from '../http/route.ts'
import { readId } from '../http/wire.ts'
import { findAdapter } from '../merchants/profiles/adapter.ts'
import { findOwner, receiveNotification } from './notifications.ts'

/** Calls with an unknown key from one network: a provider with an outdated URL retries slowly for days. */
const WRONG: RatePolicy = { name: 'notification unknown', perSecond: 20, burst: 200 }
/** Calls of one profile from one network: after an outage a provider sends hundreds per second. */
const RIGHT: RatePolicy = { name: 'notification', perSecond: 1_000, burst: 10_000 }

/** Existing clients of this API family registered the second at some providers. */
const PATHS = ['/api/provider-webhook', '/api/provider-webhook2'] as const

export function inboundRoutes(ctx: Context): Route[] {
  const { clock, sharedLimits } = ctx
  const gate = createGate({ clock, policy: WRONG, sharing: sharedLimits })
  const received = createRateLimiter(clock, RIGHT)
  return PATHS.map((path) =>
    route({
      method: 'POST',
      path,
      ...(path === PATHS[0] ? {} : { hidden: true }),
      summary: 'Where providers send their notifications',
      description:
        'The address stands in each provider profile. Calls are verified and only ever taken as hints.',
      tag: 'Providers',
      auth: 'none',
      status: 200,
      rawBody: true,
      hasOwnLimit: true,
      errors: ['not_found', 'invalid_signature', 'unavailable'],
      response: Type.Object({ received: Type.Literal(true) }),
      query: Type.Object({ profileId: Type.String(), webhookKey: Type.String({ maxLength: 200 }) }),
      handler: async (_caller: unknown, { query, headers, body, reply, network }) => {
        const profileId = readId(query.profileId) ?? -1
        const secret = sha256(`${profileId}:${query.webhookKey}`).toString('base64')
        const find = () => findOwner(ctx, profileId, query.webhookKey)
        const owner = await gate.pass({ subject: network, secret }, find)
        // Same response for an unknown profile and a wrong key.
        if (!owner) throw notFound('The profile')
        received.take(`${network} ${profileId}`)
        await receiveNotification(ctx, owner, {
          headers: flat(headers),
          url: reply.request.originalUrl,
          body: body as Uint8Array,
        })
        const answer = findAdapter(ctx, owner.profile)?.notificationAnswer
        if (answer === undefined) return { received: true }
        reply.header('content-type', 'text/plain; charset=utf-8')
        return answer
      },
    }),
  )
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
