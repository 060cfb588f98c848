import { ApiError, notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type App, findProfile, type Profile } from '../app.ts'
import { forgetApp } from '../directory.ts'
import { adapterOf } from './adapter.ts'
import { changeProfile, mergedSettings, type ProfileChanges } from './commands.ts'
import { connectProvider } from './connect.ts'
import { isProfileUsed, noteAccount } from './store.ts'

/**
 * Changes a profile. Credentials of another account are refused once the profile was used: its payments and
 * stored methods exist in its own account only. Where the provider gives no answer, the settings are stored,
 * and the next check tells.
 */
export async function changeProfileSafely(
  ctx: Context,
  app: App,
  profileId: number,
  changes: ProfileChanges,
): Promise<Profile> {
  const profile = findProfile(app, profileId)
  if (!profile) throw notFound('The payment profile')
  if (changes.settings === undefined || !(await isProfileUsed(ctx.db, app.appId, profileId))) {
    const isForgotten = changes.settings !== undefined && profile.account !== null
    if (isForgotten) await noteAccount(ctx.db, app.appId, profileId, null)
    return changeProfile(ctx, app, profileId, changes)
  }
  const settings = mergedSettings(ctx, app, profile, changes.settings)
  if (!settings) return changeProfile(ctx, app, profileId, changes)
  const [before, after] = await Promise.all([
    profile.account ?? accountOf(ctx, app, profile),
    accountOf(ctx, app, { ...profile, settings }),
  ])
  if (before !== undefined && after !== undefined && before !== after) throw otherAccount(ctx, profile)
  const changed = await changeProfile(ctx, app, profileId, changes)
  const account = before ?? after
  if (account === undefined || account === profile.account) return changed
  await noteAccount(ctx.db, app.appId, profileId, account)
  forgetApp(ctx, app.appId)
  return { ...changed, account }
}

async function accountOf(ctx: Context, app: App, profile: Profile): Promise<string | undefined> {
  const checked = await connectProvider(ctx, app, profile)
  return checked.ok ? checked.account : undefined
}

const otherAccount = (ctx: Context, profile: Profile): ApiError =>
  new ApiError(
    'other_account',
    `The credentials are of another account at ${adapterOf(ctx, profile).manifest.name}.`,
  )
