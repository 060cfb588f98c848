import type { Context } from '../../context.ts'
import { newFormId, readFormId } from '../kit/request/form-id.ts'

/** Id of a payment form. It is stored with the attempt's operation under a unique constraint. */
export const newAttemptId = (ctx: Pick<Context, 'vault' | 'random'>, paymentKey: string): string =>
  newFormId(ctx, paymentKey)

/** The request key of the attempt; undefined if the id is not valid for this payment. */
export function readAttemptId(
  ctx: Pick<Context, 'vault'>,
  paymentKey: string,
  id: string,
): string | undefined {
  const nonce = readFormId(ctx, paymentKey, id)
  return nonce === undefined ? undefined : `checkout:${nonce}`
}
