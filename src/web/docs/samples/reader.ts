import { currencyDigits } from '../../../base/currencies.ts'
import type { Context } from '../../../context.ts'
import { readCookie } from '../../../http/client/cookie.ts'
import type { Call } from '../../../http/route.ts'
import type { App } from '../../../merchants/app.ts'
import { loadApp } from '../../../merchants/directory.ts'
import { appIdsOfLicense, licensePage } from '../../../merchants/licenses/commands.ts'
import { cookieName } from '../../../people/cookie.ts'
import { findSession } from '../../../people/sessions/sessions.ts'
import type { SampleApp } from './routes.tsx'

/**
 * The apps of a person with a console session, sandbox first. In development the first licence is shown to
 * everybody: it is the one of the demo.
 */
export async function appsOfReader(ctx: Context, headers: Call['headers']): Promise<SampleApp[]> {
  const person = await findSession(ctx, readCookie(headers, cookieName(ctx)))
  const licences = person?.memberships.map(({ licenseId }) => licenseId) ?? (await demoLicences(ctx))
  const ids = await Promise.all(licences.map((licenseId) => appIdsOfLicense(ctx, licenseId)))
  const apps = await Promise.all(ids.flat().map((appId) => loadApp(ctx, appId)))
  return apps.filter((app) => app !== undefined).map(sampleApp)
}

async function demoLicences(ctx: Context): Promise<string[]> {
  if (ctx.config.production) return []
  const { items } = await licensePage(ctx, '')
  return items.slice(0, 1).map(({ licenseId }) => licenseId)
}

/** The amounts of the samples have two decimals. */
function sampleApp({ appId, friendlyName, profiles }: App): SampleApp {
  const currency = profiles[0]?.currency
  return { appId, name: friendlyName, ...(currency && currencyDigits(currency) === 2 && { currency }) }
}
