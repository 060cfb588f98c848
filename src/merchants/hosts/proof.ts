import { randomText } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import type { HostClaim } from './store.ts'

// A host name is proved by a token of the app: in a DNS entry beside the name, or in a file that the name
// serves. This service never serves that file itself: a name that leads here already would prove itself for
// every app that asks.

const TOKEN_CHARACTERS = 32
const TIMEOUT_MS = 10_000

export const newToken = (ctx: Pick<Context, 'random'>): string => randomText(ctx.random, TOKEN_CHARACTERS)

export interface HostProof {
  readonly host: string
  readonly recordName: string
  readonly recordValue: string
  readonly fileUrl: string
  readonly fileContent: string
}

/** What the owner of the name has to do: one of both. */
export function proofOf(appId: string, { host, token }: Pick<HostClaim, 'host' | 'token'>): HostProof {
  const value = `tender-host=${token}`
  return {
    host,
    recordName: `_tender.${host}`,
    recordValue: value,
    fileUrl: `https://${host}/.well-known/tender/${appId}`,
    fileContent: value,
  }
}

export async function isProved(ctx: Pick<Context, 'dns' | 'http'>, claim: HostClaim): Promise<boolean> {
  const { recordName, recordValue, fileUrl, fileContent } = proofOf(claim.appId, claim)
  const texts = await ctx.dns.texts(claim.appId, recordName)
  if (texts.includes(recordValue)) return true
  const reply = await ctx.http.call({ method: 'GET', url: fileUrl, timeoutMs: TIMEOUT_MS, isGuarded: true })
  if (reply.kind !== 'reply' || reply.status !== 200 || typeof reply.body !== 'string') return false
  return reply.body.trim() === fileContent
}
