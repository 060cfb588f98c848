import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import type { Server } from '../http/server.ts'
import { accountScreens } from './account/routes.ts'
import { auditScreens } from './audit/routes.tsx'
import { consoleAssets } from './frame/assets.ts'
import { createScreens, type Screens } from './frame/screens.tsx'
import { fraudScreens } from './fraud/routes.tsx'
import { providersScreens } from './providers/routes.tsx'
import { routingScreens } from './routing/routes.tsx'
import { startRoute } from './start.ts'

/** Every screen of the console. */
const SCREENS: readonly ((screens: Screens) => readonly Route[])[] = [
  accountScreens,
  auditScreens,
  fraudScreens,
  providersScreens,
  routingScreens,
]

/** `folder` is src/console/, also for a bundled service. */
export function addConsole(server: Server, ctx: Context, folder: URL): void {
  const assets = consoleAssets(server.fastify, folder)
  const screens = createScreens(ctx, assets)
  server.add([
    startRoute(ctx),
    assets.style.route,
    assets.script.route,
    ...SCREENS.flatMap((make) => make(screens)),
  ])
}
