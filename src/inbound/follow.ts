import type { Context } from '../context.ts'
import type { App, Profile } from '../merchants/app.ts'
import { callProvider } from '../merchants/profiles/call.ts'
import { followHint } from '../payments/provider/movements/follow-hint.ts'
import type { Hint } from '../providers/hint.ts'
import type { Received } from '../providers/port.ts'
import { endNotification, keepUnmatched, type NotificationKey, type StoredCall } from './store.ts'

/** Verifies the signature of a call and returns its events. Decision 0085. */
export const verify = (
  ctx: Context,
  app: App,
  profile: Profile,
  { headers, url, body }: StoredCall,
): Promise<Received> =>
  callProvider({ ...ctx, subject: { step: 'notification' } }, app, profile, (adapter, provider) =>
    adapter.receive(provider, { headers, url, rawBody: body }),
  )

/**
 * False when the provider could not be read: the notification stays and is retried when it is due. If the
 * same call came again meanwhile, the provider is read once more; what comes after that is left to the job.
 */
export async function follow(
  ctx: Context,
  app: App,
  name: NotificationKey & { readonly receivedTime?: Date },
  hints: readonly Hint[],
): Promise<boolean> {
  if (!(await followAll(ctx, app, name, hints))) return false
  const receivedTime = await endNotification(ctx.db, name, 'done')
  if (!receivedTime) return true
  const again = { ...name, receivedTime }
  if (!(await followAll(ctx, app, again, hints))) return false
  await endNotification(ctx.db, again, 'done')
  return true
}

async function followAll(
  ctx: Context,
  app: App,
  name: NotificationKey & { readonly receivedTime?: Date },
  hints: readonly Hint[],
): Promise<boolean> {
  let isFollowed = true
  for (const hint of hints) {
    const followed = await followHint(ctx, app, name, hint)
    if (followed === 'unmatched') await keepUnmatched(ctx.db, name)
    isFollowed = followed === true && isFollowed
  }
  return isFollowed
}

/** Replaces the webhookKey in the URL of a call: it is removed before storing and set again to verify. */
export function withKey(url: string, webhookKey: string): string {
  const [path = '', ...query] = url.split('?')
  if (query.length === 0) return path
  const members = query.join('?').split('&')
  return `${path}?${members.map((member) => (isKey(member) ? `webhookKey=${webhookKey}` : member)).join('&')}`
}

/** Also matches a percent-encoded name. */
const isKey = (member: string): boolean => new URLSearchParams(member).has('webhookKey')
