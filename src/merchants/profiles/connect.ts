import { isIP } from 'node:net'
import { ApiError } from '../../base/errors.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { forbidden } from '../../net/guard.ts'
import { CHECK_PARTS, type Checked, type CheckPart, type CheckProblem } from '../../providers/check.ts'
import type { App, Profile } from '../app.ts'
import { forgetApp } from '../directory.ts'
import { notifyUrl } from '../urls.ts'
import { adapterOf } from './adapter.ts'
import { callProvider, providerOrigin } from './call.ts'
import { changeProfile } from './commands.ts'
import { readAccountMethods } from './methods.ts'
import { notReadyReason } from './ready.ts'
import { isProfileUsed, noteAccepted, noteAccount } from './store.ts'

export interface ProfileCheck {
  readonly ok: boolean
  /** What is wrong, in one sentence. */
  readonly problem?: string
  readonly code?: CheckProblem
  /** What was found to be right. */
  readonly tested?: readonly CheckPart[]
  /** The provider's id of the account. */
  readonly account?: string
  /** What works less well than it could, each in one sentence. */
  readonly warnings?: readonly string[]
}

/**
 * Checks the profile's settings by a read without side effects, and that it is ready to take payments. The
 * first success tells the account that the profile belongs to.
 */
export async function checkProfileAtProvider(
  ctx: Context,
  app: App,
  profile: Profile,
): Promise<ProfileCheck> {
  const { check, account } = await checkSettings(ctx, app, profile)
  const { appId } = app
  const { profileId, acceptedTime } = profile
  if (account !== undefined && account !== profile.account)
    await noteAccount(ctx.db, appId, profileId, account)
  if (check.ok) await noteAccepted(ctx.db, appId, profileId, ctx.clock.now())
  else if (acceptedTime !== null && !isTemporary(check)) await noteAccepted(ctx.db, appId, profileId, null)
  if (check.ok) await readAccountMethods(ctx, app, profile)
  forgetApp(ctx, appId)
  return check
}

/** The provider did not answer the question: what it accepted before may still be right. */
const isTemporary = ({ code }: ProfileCheck): boolean =>
  code === 'unreachable' || code === 'busy' || code === 'no-answer'

/** The same for settings that are not stored. Nothing is noted, and the calls are not logged. */
export const checkUnsaved = async (ctx: Context, app: App, draft: Profile): Promise<ProfileCheck> =>
  (await checkSettings({ ...ctx, recordCalls: (http) => http }, app, draft)).check

interface CheckedAccount {
  readonly check: ProfileCheck
  readonly account?: string | undefined
}

async function checkSettings(ctx: Context, app: App, profile: Profile): Promise<CheckedAccount> {
  const checked = await connectProvider(ctx, app, profile)
  if (!checked.ok) return { check: checked }
  const { account, warnings = [] } = checked
  if (account !== undefined && profile.account !== null && account !== profile.account) {
    const { name } = adapterOf(ctx, profile).manifest
    const problem = `The credentials are of another account at ${name} than before.`
    if (await isProfileUsed(ctx.db, app.appId, profile.profileId))
      return { check: { ok: false, problem, code: 'other-account' } }
  }
  const unready = notReadyReason(ctx, app, profile)
  if (unready) return { check: { ok: false, problem: unready.problem, code: 'not-ready' }, account }
  const tested = CHECK_PARTS.filter(
    (part) => checked.tested.includes(part) || (part === 'account' && account !== undefined),
  )
  const shown = {
    ...(account === undefined ? {} : { account }),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
  return { check: { ok: true, tested, ...shown }, account }
}

export async function connectProvider(ctx: Context, app: App, profile: Profile): Promise<Checked> {
  const { name } = adapterOf(ctx, profile).manifest
  try {
    const subject = { step: 'check' }
    return await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
      adapter.check(provider),
    )
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { ok: false, problem: `${name} gave an answer that could not be read.`, code: 'no-answer' }
  }
}

export interface Connection {
  readonly isConnected: boolean
  readonly webhookUrl: string
  /** What the merchant still has to do at the provider. */
  readonly instructions?: string
}

/**
 * Registers our notification address at the provider and stores the signing secret. For a provider without
 * such a call the result has instructions instead.
 */
export async function connectProfile(ctx: Context, app: App, profile: Profile): Promise<Connection> {
  const adapter = adapterOf(ctx, profile)
  const { name } = adapter.manifest
  const webhookUrl = notifyUrl(ctx, profile)
  if (!adapter.connect) {
    const instructions = adapter.connectHelp ?? `${name} needs no address for notifications.`
    return { isConnected: false, webhookUrl, instructions }
  }
  checkReachable(ctx, app, profile)
  const subject = { step: 'connect' }
  const connected = await callProvider({ ...ctx, subject }, app, profile, (one, provider) =>
    one.connect ? one.connect(provider) : { ok: false as const, problem: `${name} cannot be connected.` },
  )
  if (!connected.ok)
    throw new ApiError('profile_not_usable', `${name} could not be connected: ${connected.problem}`)
  await changeProfile(ctx, app, profile.profileId, { settings: connected.settings })
  await noteAccepted(ctx.db, app.appId, profile.profileId, ctx.clock.now())
  forgetApp(ctx, app.appId)
  return { isConnected: true, webhookUrl }
}

/** A provider on the internet cannot reach a private address. One on a private address can. */
function checkReachable(ctx: Context, app: App, profile: Profile): void {
  const { publicUrl } = ctx.config
  if (!isPrivateHost(publicUrl) || isPrivateHost(providerOrigin(ctx, app, profile))) return
  const { name } = adapterOf(ctx, profile).manifest
  throw new ApiError(
    'profile_not_usable',
    `${name} cannot reach ${publicUrl}. Set PUBLIC_URL to the https address under which the internet ` +
      'reaches this service, restart it, and connect again.',
  )
}

/** A name or address that only this machine or its network knows. */
export function isPrivateHost(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return forbidden(host, { allowPrivate: false }) !== undefined
  return !host.includes('.') || /\.(?:localhost|local|internal|lan|home|test)$/.test(host)
}
