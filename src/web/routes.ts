import type { Context } from '../context.ts'
import type { Server } from '../http/server.ts'
import { addLiveRoutes } from './checkout/events.ts'
import { hostCheckRoute, limitCheckoutHosts } from './checkout/host.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { checkoutAssets, type PageAssets, prepareOnListen } from './kit/assets/assets.ts'
import { compressPages } from './kit/assets/compress.ts'
import { addLogos } from './kit/assets/logos.ts'
import { linkPageRoutes } from './link/routes.tsx'
import { panelRoutes } from './panel/routes.ts'
import { unsubscribeRoutes } from './unsubscribe.tsx'

/** Adds the pages for payers and customers. `folder` holds the style sheets. */
export function addPages(server: Server, ctx: Context, folder: URL): PageAssets {
  const assets = checkoutAssets(folder)
  limitCheckoutHosts(server.fastify, ctx)
  compressPages(server.fastify)
  prepareOnListen(server.fastify, [assets.style, assets.script])
  addLogos(server.fastify, ctx)
  addLiveRoutes(server.fastify, ctx)
  server.add([
    assets.style.route,
    assets.script.route,
    hostCheckRoute(ctx),
    ...checkoutRoutes(ctx, assets),
    ...linkPageRoutes(ctx, assets),
    ...panelRoutes(ctx, assets),
    ...unsubscribeRoutes(ctx, assets),
  ])
  return assets
}
