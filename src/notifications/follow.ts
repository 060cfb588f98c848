import type { Context } from '../context.ts'
import { type App, callProvider, type Profile } from '../merchants/app.ts'
import { followHint } from '../payments/provider/recheck.ts'
import type { Hint, Received } from '../providers/port.ts'
import { endNotification, type NotificationKey, type StoredCall } from './store.ts'

/** Whether the provider sent the call, and what it is about. */
export const verify = (
  ctx: Context,
  app: App,
  profile: Profile,
  { headers, url, body }: StoredCall,
): Promise<Received> =>
  callProvider(ctx, app, profile, (adapter, provider) =>
    adapter.receive(provider, { headers, url, rawBody: body }),
  )

/** False: the provider could not be read. The notification stays and is followed again when it is due. */
export async function follow(
  ctx: Context,
  app: App,
  name: NotificationKey,
  hints: readonly Hint[],
): Promise<boolean> {
  let isFollowed = true
  for (const hint of hints) isFollowed = (await followHint(ctx, app, name, hint)) && isFollowed
  if (isFollowed) await endNotification(ctx.db, name, 'done')
  return isFollowed
}

/** The address of the call with another webhookKey: without one for the database, with it to verify. */
export function withKey(url: string, webhookKey: string): string {
  const [path = '', ...query] = url.split('?')
  if (query.length === 0) return path
  const members = query.join('?').split('&')
  return `${path}?${members.map((member) => (isKey(member) ? `webhookKey=${webhookKey}` : member)).join('&')}`
}

/** However the name is written. */
const isKey = (member: string): boolean => new URLSearchParams(member).has('webhookKey')
