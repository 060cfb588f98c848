import { randomText } from '../../base/ids.ts'
import { hmacSha256, sameBytes } from '../../base/secret.ts'
import type { Context } from '../../context.ts'

/**
 * Every form carries an id that we made for this payment: whoever has not seen the page cannot send one,
 * and the same form sent twice begins one attempt. It is written with the attempt's operation, where it is
 * unique.
 */
type Ctx = Pick<Context, 'vault' | 'random'>

const NONCE_LENGTH = 20
const MAC_LENGTH = 22

const macOf = (ctx: Pick<Ctx, 'vault'>, paymentKey: string, nonce: string): string =>
  hmacSha256(ctx.vault.derive('checkout-attempt'), `${paymentKey}.${nonce}`)
    .toString('base64url')
    .slice(0, MAC_LENGTH)

export function newAttemptId(ctx: Ctx, paymentKey: string): string {
  const nonce = randomText(ctx.random, NONCE_LENGTH)
  return `${nonce}.${macOf(ctx, paymentKey, nonce)}`
}

/** The name of the attempt, or undefined for an id that is not ours. */
export function readAttemptId(ctx: Pick<Ctx, 'vault'>, paymentKey: string, id: string): string | undefined {
  const [nonce = '', mac = ''] = id.split('.')
  const expected = macOf(ctx, paymentKey, nonce)
  return sameBytes(Buffer.from(mac), Buffer.from(expected)) ? `checkout:${nonce}` : undefined
}
