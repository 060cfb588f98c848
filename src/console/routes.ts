import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import type { Server } from '../http/server.ts'
import { accountScreens } from './account/routes.ts'
import { auditScreens } from './audit/routes.tsx'
import { developersScreens } from './developers/routes.ts'
import type { TestTools } from './developers/tools.tsx'
import { consoleAssets } from './frame/assets.ts'
import { createScreens, type Screens } from './frame/screens.tsx'
import { grantScreens } from './grant/routes.tsx'
import { overviewScreens } from './overview/routes.tsx'
import { profileScreens } from './profile/routes.ts'
import { startRoute } from './start.ts'
import { teamScreens } from './team/routes.ts'

/** Every screen of the console. */
const SCREENS: readonly ((screens: Screens, tools: TestTools) => readonly Route[])[] = [
  accountScreens,
  overviewScreens,
  developersScreens,
  auditScreens,
  profileScreens,
  teamScreens,
  grantScreens,
]

export interface ConsoleOptions extends TestTools {
  /** src/console/, also for a bundled service. */
  readonly folder: URL
}

export function addConsole(server: Server, ctx: Context, { folder, ...tools }: ConsoleOptions): void {
  const assets = consoleAssets(server.fastify, folder)
  const screens = createScreens(ctx, assets)
  server.add([
    startRoute(ctx),
    assets.style.route,
    assets.script.route,
    ...SCREENS.flatMap((make) => make(screens, tools)),
  ])
}
