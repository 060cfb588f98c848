import { hmacSha256 } from '../../base/secret.ts'

/** Standard Webhooks: the signed content is the id, the time of the try and the exact body. */
export interface Signing {
  readonly id: string
  readonly body: string
  /** Real time of this try. */
  readonly now: Date
  /**
   * `whsec_…`, newest first. Each adds a signature, so that receivers can change secrets one by one. Empty:
   * signatures are turned off.
   */
  readonly secrets: readonly string[]
}

const PREFIX = 'whsec_'

export function signedHeaders({ id, body, now, secrets }: Signing): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const content = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => `v1,${hmacSha256(keyOf(secret), content).toString('base64')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
  }
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')
