import type { Context } from '../../context.ts'
import type { Server } from '../../http/server.ts'
import { consoleAssets } from '../kit/frame/assets.ts'
import { serveScreens } from '../kit/frame/serve.ts'
import { createLiveStreams } from '../kit/request/live-streams.ts'
import type { ScreenRoute } from '../kit/route.ts'
import { accountScreens } from './account/routes.ts'
import { approvalScreens } from './approvals/routes.tsx'
import { auditScreens } from './audit/routes.tsx'
import { blocksScreens } from './blocks/routes.tsx'
import { booksScreens } from './books/routes.tsx'
import { type CustomerTools, customersScreens } from './customers/routes.ts'
import { developersScreens } from './developers/routes.ts'
import type { TestTools } from './developers/tools.tsx'
import { disputesScreens } from './disputes/routes.tsx'
import { dockScreens } from './dock/routes.tsx'
import { pluginLinks, startRoute } from './entries.ts'
import { exportsScreens } from './exports/routes.tsx'
import { fraudScreens } from './fraud/routes.ts'
import { goingLiveScreens } from './going-live/routes.tsx'
import { grantScreens } from './grant/routes.tsx'
import { linksScreens } from './links/routes.tsx'
import { movingScreens } from './moving/routes.tsx'
import { noticesScreens } from './notices/routes.tsx'
import { overviewScreens } from './overview/routes.tsx'
import { type PaymentTools, paymentScreens } from './payment/routes.tsx'
import { paymentsScreens } from './payments/routes.tsx'
import { profileScreens } from './profile/routes.ts'
import { providersScreens } from './providers/routes.ts'
import { reviewsScreens } from './reviews/routes.tsx'
import { routingScreens } from './routing/routes.tsx'
import { searchScreens } from './search/routes.tsx'
import { type SettingsTools, settingsScreens } from './settings/routes.ts'
import { settlementsScreens } from './settlements/routes.ts'
import { shortcutScreens } from './shortcuts/routes.tsx'
import { type SystemTools, systemScreens } from './system/routes.tsx'
import { teamScreens } from './team/routes.ts'

/** What some screens need beside the context. */
type Tools = TestTools & CustomerTools & SettingsTools & SystemTools & PaymentTools

/** Every screen of the console. Decision 0115. */
const SCREENS: readonly ((tools: Tools) => readonly ScreenRoute[])[] = [
  accountScreens,
  overviewScreens,
  goingLiveScreens,
  paymentsScreens,
  booksScreens,
  settlementsScreens,
  searchScreens,
  reviewsScreens,
  disputesScreens,
  approvalScreens,
  noticesScreens,
  linksScreens,
  customersScreens,
  providersScreens,
  routingScreens,
  fraudScreens,
  blocksScreens,
  developersScreens,
  exportsScreens,
  movingScreens,
  auditScreens,
  dockScreens,
  paymentScreens,
  shortcutScreens,
  settingsScreens,
  systemScreens,
  profileScreens,
  teamScreens,
  grantScreens,
]

export interface ConsoleOptions extends Omit<Tools, 'streams'> {
  /** src/web/console/, also for a bundled service. */
  readonly folder: URL
}

export function addConsole(server: Server, ctx: Context, { folder, ...tools }: ConsoleOptions): void {
  const assets = consoleAssets(server.fastify, folder)
  const streams = createLiveStreams(ctx, server.fastify)
  const routes = SCREENS.flatMap((screens) => screens({ ...tools, streams }))
  server.add([
    startRoute(ctx),
    assets.style.route,
    assets.script.route,
    ...serveScreens(ctx, { assets, routes }),
    ...pluginLinks(),
  ])
}
