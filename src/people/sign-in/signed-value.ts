import { after } from '../../base/clock.ts'
import { hmacSha256, sameBytes } from '../../base/secret.ts'
import type { Context } from '../../context.ts'

// Values that a browser carries between two steps, signed and short-lived, so that nothing is stored for
// visitors who never come back.

type Ctx = Pick<Context, 'vault' | 'clock'>

const signature = ({ vault }: Ctx, purpose: string, text: string): Buffer =>
  hmacSha256(vault.derive(`signed-value:${purpose}`), text)

export function signValue(ctx: Ctx, purpose: string, value: object, validMs: number): string {
  const expiresMs = after(ctx.clock.now(), validMs).getTime()
  const text = Buffer.from(JSON.stringify({ ...value, expiresMs })).toString('base64url')
  return `${text}.${signature(ctx, purpose, text).toString('base64url')}`
}

/** Undefined when the value was changed, made for another purpose, or has expired. */
export function readValue<Value extends object>(
  ctx: Ctx,
  purpose: string,
  signed: string,
): Value | undefined {
  const [text, mac, ...rest] = signed.split('.')
  if (!text || !mac || rest.length > 0) return undefined
  // Parse only after the signature is verified.
  if (!sameBytes(Buffer.from(mac, 'base64url'), signature(ctx, purpose, text))) return undefined
  const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  return value.expiresMs > ctx.clock.now().getTime() ? value : undefined
}
