import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import type { AppExtras } from './apps/commands.ts'
import { appRoutes } from './apps/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { licenseRoutes } from './licenses/routes.ts'
import { profileRoutes } from './profiles/routes.ts'

export const merchantRoutes = (ctx: Context, extras: AppExtras = {}): Route[] => [
  ...licenseRoutes(ctx),
  ...appRoutes(ctx, extras),
  ...keyRoutes(ctx),
  ...profileRoutes(ctx),
]
