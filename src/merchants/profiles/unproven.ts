import type { Context } from '../../context.ts'
import type { ProviderAdapter } from '../../providers/port.ts'
import type { Profile } from '../app.ts'
import { findAdapter } from './adapter.ts'

/** What has not been shown to work about a profile. */
type Unproven = 'credentials' | 'notifications'

/** Whether the provider sends notifications to an address that it must be told. */
export const needsConnecting = ({ connect, connectHelp }: ProviderAdapter): boolean =>
  connect !== undefined || connectHelp !== undefined

/**
 * Notifications that are not signed come with the first payment only: every payment names their address, so
 * there is nothing to prove before. A provider of this installation has neither keys nor an address to enter.
 */
export function unprovenOf(ctx: Pick<Context, 'providers'>, profile: Profile): readonly Unproven[] {
  const adapter = findAdapter(ctx, profile)
  if (!adapter || adapter.openAccount) return []
  const awaitsNotification = needsConnecting(adapter) && !adapter.manifest.unsignedNotifications
  return [
    ...(profile.acceptedTime === null ? (['credentials'] as const) : []),
    ...(awaitsNotification && profile.lastNotificationTime === null ? (['notifications'] as const) : []),
  ]
}
