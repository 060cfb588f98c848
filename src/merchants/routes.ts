import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { appRoutes } from './apps/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import type { OpenSandboxAccount } from './licenses/commands.ts'
import { licenseRoutes } from './licenses/routes.ts'
import { profileRoutes } from './profiles/routes.ts'

interface MerchantOptions {
  readonly openSandboxAccount: OpenSandboxAccount
}

export const merchantRoutes = (ctx: Context, { openSandboxAccount }: MerchantOptions): Route[] => [
  ...licenseRoutes(ctx, openSandboxAccount),
  ...appRoutes(ctx),
  ...keyRoutes(ctx),
  ...profileRoutes(ctx),
]
