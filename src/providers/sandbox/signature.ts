import { MINUTE, SECOND } from '../../base/clock.ts'
import { hmacSha256, sameBytes } from '../../base/secret.ts'

/** How the bank signs its notifications: `t=<unix seconds>,v1=<hex>` over the instant and the body. */
export const SIGNATURE_HEADER = 'sandbox-signature'

/** Clocks differ a little; an older call is a replay. */
const TOLERANCE_MS = 5 * MINUTE

/** Both sides derive it from the account's secret key, so that it is no setting of its own. */
const signingKey = (apiKey: string): Buffer => hmacSha256(apiKey, 'notifications')

export function signature(apiKey: string, at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / SECOND)
  return `t=${seconds},v1=${hmacSha256(signingKey(apiKey), `${seconds}.${body}`).toString('hex')}`
}

export interface Signed {
  readonly header: string
  readonly body: string
}

export function isSigned(apiKey: string, now: Date, { header, body }: Signed): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header)
  if (!match) return false
  const at = Number(match[1]) * SECOND
  if (Math.abs(now.getTime() - at) > TOLERANCE_MS) return false
  const expected = hmacSha256(signingKey(apiKey), `${match[1]}.${body}`)
  return sameBytes(expected, Buffer.from(match[2] ?? '', 'hex'))
}
