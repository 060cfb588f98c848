import { hmacSha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { HttpReply } from '../../net/http.ts'

/** Whether the host name of a checkout leads to this installation, and if not, why. */
export type HostVerdict =
  | 'ok'
  /** The name has no DNS entry. */
  | 'unknown-name'
  /** It leads into a private network. */
  | 'private'
  | 'refused'
  | 'certificate'
  | 'timeout'
  /** Something else answers. */
  | 'elsewhere'
  /** This installation answers, but does not get the host name. */
  | 'host-header'

/** Served on every host name. */
export const HOST_CHECK_PATH = '/assets/host-check'
const TIMEOUT_MS = 10_000

/** Tells this installation from others; the same on all of its nodes. */
export const hostCheckAnswer = (ctx: Pick<Context, 'vault'>, host: string) => ({
  installation: Buffer.from(hmacSha256(ctx.vault.derive('host-check'), 'installation')).toString('hex'),
  host,
})

/** Asks the host as a payer's browser would, over https and with its certificate checked. */
export async function checkHost(ctx: Context, host: string): Promise<HostVerdict> {
  const url = `https://${host}${HOST_CHECK_PATH}`
  const reply = await ctx.http.call({ method: 'GET', url, timeoutMs: TIMEOUT_MS, isGuarded: true })
  return hostVerdict(reply, hostCheckAnswer(ctx, host))
}

export function hostVerdict(reply: HttpReply, expected: ReturnType<typeof hostCheckAnswer>): HostVerdict {
  if (reply.kind === 'not-sent') return causeOf(reply.cause)
  if (reply.kind === 'no-answer') return reply.why === 'timeout' ? 'timeout' : causeOf(reply.cause)
  const { installation, host } = (reply.body ?? {}) as Partial<typeof expected>
  if (reply.status !== 200 || installation !== expected.installation) return 'elsewhere'
  return host === expected.host ? 'ok' : 'host-header'
}

function causeOf(code: string): HostVerdict {
  if (code === 'FORBIDDEN_ADDRESS') return 'private'
  if (/^(?:ENOTFOUND|EAI_AGAIN|ENODATA)/.test(code)) return 'unknown-name'
  if (/CERT|TLS|SSL|DEPTH_ZERO|UNABLE_TO_|SELF_SIGNED/.test(code)) return 'certificate'
  if (/^ECONNREFUSED/.test(code)) return 'refused'
  if (/TIMEOUT|UNREACH/.test(code)) return 'timeout'
  return 'elsewhere'
}
