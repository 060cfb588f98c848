import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { type App, findProfile, type Profile } from '../../merchants/app.ts'
import { adapterOf } from '../../merchants/profiles/adapter.ts'
import { callProvider } from '../../merchants/profiles/call.ts'
import type { Snapshot } from '../../providers/outcome.ts'
import type { Payment } from '../payment.ts'
import { movementsOf } from '../store/movements.ts'
import { differences, isAbout } from './trust.ts'

/** A provider's view that can be trusted. Inconclusive absence and a view of something else are `unknown`. */
export type TrustedRead =
  | Snapshot
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly isUnpaid?: true }
  | { readonly kind: 'unknown' }

type AttemptReference = Pick<
  Payment,
  'appId' | 'paymentId' | 'profileId' | 'attemptKey' | 'handles' | 'currency' | 'amountMinor'
> &
  Partial<Pick<Payment, 'attempt'>>

/** All reads of a provider's view of a payment go through here. */
export async function readProvider(
  ctx: Context,
  app: App,
  reference: AttemptReference,
): Promise<TrustedRead> {
  const { profileId, paymentId, attempt, attemptKey, handles } = reference
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (!profile) return { kind: 'unknown' }
  try {
    const subject = { step: 'read', paymentId, ...(attempt === undefined ? {} : { attempt }) }
    const reported = await reportedAbout(ctx, app, profile, attemptKey)
    const view = await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
      adapter.retrieve(provider, attemptKey ?? '', handles ?? {}, { currency: reference.currency, reported }),
    )
    if (view.kind === 'absent') return { kind: view.conclusive ? 'absent' : 'unknown' }
    if (view.kind === 'unreadable') return view
    return view.kind === 'snapshot' ? trustedSnapshot(ctx, app, reference, view) : { kind: 'unknown' }
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { kind: 'unknown' }
  }
}

/** What the notifications of a provider that cannot be read have reported about the attempt. */
const reportedAbout = async (ctx: Context, { appId }: App, profile: Profile, attemptKey: string | null) =>
  attemptKey !== null && adapterOf(ctx, profile).manifest.retrieve === 'notification-only'
    ? movementsOf(ctx, { appId, attemptKey })
    : []

/** A snapshot that is about this payment; `unknown` when it is about something else. */
function trustedSnapshot(
  ctx: Pick<Context, 'log'>,
  app: App,
  reference: AttemptReference,
  snapshot: Snapshot,
): TrustedRead {
  const profile = reference.profileId === null ? undefined : findProfile(app, reference.profileId)
  const about = { ...reference, provider: profile?.provider ?? '' }
  if (!isAbout(ctx, about, differences(about, snapshot))) return { kind: 'unknown' }
  // A refund of nothing is not recorded.
  return { ...snapshot, refunds: snapshot.refunds.filter(({ amount }) => amount.minor > 0n) }
}
