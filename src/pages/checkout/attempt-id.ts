import type { Context } from '../../context.ts'
import { newFormId, readFormId } from '../form-id.ts'

/** The id of a form that pays: it is written with the attempt's operation, where it is unique. */
export const newAttemptId = (ctx: Pick<Context, 'vault' | 'random'>, paymentKey: string): string =>
  newFormId(ctx, paymentKey)

/** The name of the attempt, or undefined for an id that is not ours. */
export function readAttemptId(
  ctx: Pick<Context, 'vault'>,
  paymentKey: string,
  id: string,
): string | undefined {
  const nonce = readFormId(ctx, paymentKey, id)
  return nonce === undefined ? undefined : `checkout:${nonce}`
}
