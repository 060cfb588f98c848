import Type from 'typebox'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { readId } from '../http/wire.ts'
import { receiveNotification } from './notifications.ts'

export function inboundRoutes(ctx: Context): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/provider-webhook',
      summary: 'Where providers send their notifications',
      description:
        'The address stands in each provider profile. Calls are verified and only ever taken as hints.',
      tag: 'Providers',
      auth: 'none',
      status: 200,
      rawBody: true,
      errors: ['not_found', 'invalid_signature', 'unavailable'],
      response: Type.Object({ received: Type.Literal(true) }),
      query: Type.Object({ profileId: Type.String(), webhookKey: Type.String({ maxLength: 200 }) }),
      handler: async (_caller: unknown, { query, headers, body, reply }) => {
        await receiveNotification(ctx, {
          profileId: readId(query.profileId) ?? -1,
          webhookKey: query.webhookKey,
          headers: flat(headers),
          url: reply.request.originalUrl,
          body: body as Uint8Array,
        })
        return { received: true }
      },
    }),
  ]
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
