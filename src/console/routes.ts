import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import type { Server } from '../http/server.ts'
import { createLiveStreams } from '../pages/live-streams.ts'
import type { FindSignedIn } from '../people/guard.ts'
import { auditScreens } from './audit/routes.tsx'
import { dockScreens } from './dock/routes.tsx'
import { consoleAssets } from './frame/assets.ts'
import { createScreens, type Screens } from './frame/screens.tsx'
import { paymentScreens } from './payment/routes.tsx'
import { pluginLinks } from './plugin-links.ts'
import { shortcutScreens } from './shortcuts/routes.tsx'

/** Every screen of the console. */
const SCREENS: readonly ((screens: Screens) => readonly Route[])[] = [
  auditScreens,
  dockScreens,
  paymentScreens,
  shortcutScreens,
]

export interface ConsoleOptions {
  /** src/console/, also for a bundled service. */
  readonly folder: URL
  readonly findSignedIn: FindSignedIn
}

export function addConsole(server: Server, ctx: Context, { folder, findSignedIn }: ConsoleOptions): void {
  const assets = consoleAssets(server.fastify, folder)
  const screens = createScreens(ctx, {
    assets,
    findSignedIn,
    streams: createLiveStreams(ctx, server.fastify),
  })
  server.add([
    assets.style.route,
    assets.script.route,
    ...SCREENS.flatMap((make) => make(screens)),
    ...pluginLinks(),
  ])
}
