import type { Context } from '../../../context.ts'
import { type App, appNow } from '../../../merchants/app.ts'
import type { ExtraPayment } from '../../../providers/outcome.ts'
import { findUndo, openUndo, type Undo } from './store.ts'

/** The key of an attempt has this length; that of another payment under it goes on with the provider's id. */
const KEY_LENGTH = 20

const extraKey = (attemptKey: string, id: string): string => `${attemptKey} ${id}`

/** Our reference at the provider, which another payment on the same page has too. */
export const referenceOf = ({ attemptKey }: Pick<Undo, 'attemptKey'>): string =>
  attemptKey.slice(0, KEY_LENGTH)

type About = Pick<Undo, 'appId' | 'paymentId' | 'attempt'> & {
  readonly [name in 'attemptKey' | 'profileId' | 'method']: Undo[name] | null
}

/**
 * Gives back payments that the provider took beside the one that counts, for example on an old page. Each has
 * an undo of its own; one of a failed attempt may be what the undo of the attempt is about.
 */
export async function undoExtras(
  ctx: Context,
  app: App,
  { appId, paymentId, attempt, attemptKey, profileId, method }: About,
  extras: readonly ExtraPayment[],
): Promise<void> {
  if (attemptKey === null || profileId === null || method === null || extras.length === 0) return
  const own = await findUndo(ctx.db, appId, attemptKey)
  for (const { id, handles } of extras) {
    const key = own?.handles?.payment === id ? attemptKey : extraKey(attemptKey, id)
    const about = { appId, paymentId, attempt, profileId, method, handles, attemptKey: key }
    const undo = { ...about, createdTime: appNow(ctx, app) }
    const opened = await openUndo(ctx.db, undo, { until: ctx.clock.now(), token: null })
    if (opened) ctx.log.warn('payment.paid_twice', { appId, paymentId, attempt })
  }
}

/** The undo of the attempt is about another payment under the reference than this one. */
export async function isOtherPayment(
  ctx: Context,
  { appId, attemptKey }: Pick<Undo, 'appId' | 'attemptKey'>,
  { payment }: ExtraPayment['handles'],
): Promise<boolean> {
  const about = (await findUndo(ctx.db, appId, attemptKey))?.handles?.payment
  return about !== undefined && payment !== undefined && about !== payment
}
