import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import type { Server } from '../http/server.ts'
import { createLiveStreams } from '../pages/live-streams.ts'
import { accountScreens } from './account/routes.ts'
import { auditScreens } from './audit/routes.tsx'
import { dockScreens } from './dock/routes.tsx'
import { consoleAssets } from './frame/assets.ts'
import { createScreens, type Screens } from './frame/screens.tsx'
import { overviewScreens } from './overview/routes.tsx'
import { paymentScreens } from './payment/routes.tsx'
import { pluginLinks } from './plugin-links.ts'
import { shortcutScreens } from './shortcuts/routes.tsx'
import { startRoute } from './start.ts'

/** Every screen of the console. */
const SCREENS: readonly ((screens: Screens) => readonly Route[])[] = [
  accountScreens,
  overviewScreens,
  auditScreens,
  dockScreens,
  paymentScreens,
  shortcutScreens,
]

/** `folder` is src/console/, also for a bundled service. */
export function addConsole(server: Server, ctx: Context, folder: URL): void {
  const assets = consoleAssets(server.fastify, folder)
  const screens = createScreens(ctx, { assets, streams: createLiveStreams(ctx, server.fastify) })
  server.add([
    startRoute(ctx),
    assets.style.route,
    assets.script.route,
    ...SCREENS.flatMap((make) => make(screens)),
    ...pluginLinks(),
  ])
}
