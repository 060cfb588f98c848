import { SECOND } from '../../base/clock.ts'
import { hmacSha256, sameBytes } from '../../base/secret.ts'

/** Format: `t=<unix seconds>,v1=<hex>`. The signature covers the time and the body. */
export const SIGNATURE_HEADER = 'sandbox-signature'

/** Both sides derive it from the account's secret key, so it needs no setting. */
const signingKey = (apiKey: string): Buffer => hmacSha256(apiKey, 'notifications')

export function signature(apiKey: string, at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / SECOND)
  return `t=${seconds},v1=${hmacSha256(signingKey(apiKey), `${seconds}.${body}`).toString('hex')}`
}

export interface Signed {
  readonly header: string
  readonly body: string
}

/** Accepts any age: replays are detected by digest, and the core reads the payment before it acts. */
export function isSigned(apiKey: string, { header, body }: Signed): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header)
  if (!match) return false
  const expected = hmacSha256(signingKey(apiKey), `${match[1]}.${body}`)
  return sameBytes(expected, Buffer.from(match[2] ?? '', 'hex'))
}
