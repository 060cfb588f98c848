import { randomText } from '../../../base/ids.ts'
import { hmacSha256, sameBytes } from '../../../base/secret.ts'
import type { Context } from '../../../context.ts'

/**
 * Every form carries a signed id that belongs to a payment or a session. It prevents cross-site request
 * forgery, and its nonce identifies a form that is sent twice.
 */
type Ctx = Pick<Context, 'vault' | 'random'>

const NONCE_LENGTH = 20
const MAC_LENGTH = 22

const macOf = (ctx: Pick<Ctx, 'vault'>, owner: string, nonce: string): string =>
  hmacSha256(ctx.vault.derive('form-id'), `${owner}.${nonce}`).toString('base64url').slice(0, MAC_LENGTH)

export function newFormId(ctx: Ctx, owner: string): string {
  const nonce = randomText(ctx.random, NONCE_LENGTH)
  return `${nonce}.${macOf(ctx, owner, nonce)}`
}

/** The nonce, unique per rendered page; undefined if the signature is invalid. */
export function readFormId(ctx: Pick<Ctx, 'vault'>, owner: string, id: string): string | undefined {
  const [nonce = '', mac = ''] = id.split('.')
  return sameBytes(Buffer.from(mac), Buffer.from(macOf(ctx, owner, nonce))) ? nonce : undefined
}
