import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { findLogo } from '../../../merchants/apps/branding.ts'

/** Serves the logos of apps. The policy keeps an SVG that is opened directly from running scripts. */
export function addLogos(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { appId: string; hash: string } }>(
    '/assets/logos/:appId/:hash',
    { config: { template: '/assets/logos/{appId}/{hash}' } },
    async ({ params }, reply) => {
      const logo = await findLogo(ctx, params.appId, params.hash)
      if (!logo) return reply.code(404).send()
      return reply
        .headers({
          'content-type': logo.type,
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        })
        .send(logo.bytes)
    },
  )
}
