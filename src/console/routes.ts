import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import type { Server } from '../http/server.ts'
import type { FindSignedIn } from '../people/guard.ts'
import { auditScreens } from './audit/routes.tsx'
import { consoleAssets } from './frame/assets.ts'
import { createScreens, type Screens } from './frame/screens.tsx'
import { linksScreens } from './links/routes.tsx'
import { paymentsScreens } from './payments/routes.tsx'
import { reviewsScreens } from './reviews/routes.tsx'
import { searchScreens } from './search/routes.tsx'

/** Every screen of the console. */
const SCREENS: readonly ((screens: Screens) => readonly Route[])[] = [
  paymentsScreens,
  searchScreens,
  reviewsScreens,
  linksScreens,
  auditScreens,
]

export interface ConsoleOptions {
  /** src/console/, also for a bundled service. */
  readonly folder: URL
  readonly findSignedIn: FindSignedIn
}

export function addConsole(server: Server, ctx: Context, { folder, findSignedIn }: ConsoleOptions): void {
  const assets = consoleAssets(server.fastify, folder)
  const screens = createScreens(ctx, { assets, findSignedIn })
  server.add([assets.style.route, assets.script.route, ...SCREENS.flatMap((make) => make(screens))])
}
