import type { Context } from '../../../context.ts'
import { type App, appNow } from '../../../merchants/app.ts'
import type { Snapshot } from '../../../providers/outcome.ts'
import { openUndo, type Undo } from './store.ts'

/** The key of an attempt has this length; that of another payment under it goes on with the provider's id. */
const KEY_LENGTH = 20

const extraKey = (attemptKey: string, id: string): string => `${attemptKey} ${id}`

/** Our reference at the provider, which another payment on the same page has too. */
export const referenceOf = ({ attemptKey }: Pick<Undo, 'attemptKey'>): string =>
  attemptKey.slice(0, KEY_LENGTH)

type About = Pick<Undo, 'appId' | 'paymentId' | 'attempt'> & {
  readonly [name in 'attemptKey' | 'profileId' | 'method']: Undo[name] | null
}

/** Gives back payments that the provider took beside the one that counts, for example on an old page. */
export async function undoExtras(
  ctx: Context,
  app: App,
  { appId, paymentId, attempt, attemptKey, profileId, method }: About,
  snapshot: Snapshot,
): Promise<void> {
  if (attemptKey === null || profileId === null || method === null) return
  for (const { id, handles } of snapshot.extra ?? []) {
    const about = { appId, paymentId, attempt, profileId, method, handles }
    const undo = { ...about, attemptKey: extraKey(attemptKey, id), createdTime: appNow(ctx, app) }
    const opened = await openUndo(ctx.db, undo, { until: ctx.clock.now(), token: null })
    if (opened) ctx.log.warn('payment.paid_twice', { appId, paymentId, attempt })
  }
}
