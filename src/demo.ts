import type { Context } from './context.ts'
import { createLicense, hasLicense } from './merchants/licenses/commands.ts'

/** The first start in development creates a licence, so that a newcomer can make a payment at once. */
export async function demoLicense(ctx: Context) {
  if (ctx.config.role === 'worker' || (await hasLicense(ctx))) return undefined
  const license = await createLicense(ctx, 'Demo')
  return license.apps.find((app) => app.isSandbox)
}
