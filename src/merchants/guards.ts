import { ApiError, notFound } from '../base/errors.ts'
import { sameBytes, sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import {
  bearerText,
  bearerToken,
  type Credentials,
  type Guarded,
  type Guards,
  unauthorized,
} from '../http/guard.ts'
import { takeAll } from '../http/limits/rate-limit.ts'
import { apiLimits } from './api-limits.ts'
import { appBlocked } from './apps/block.ts'
import { findKey, hasSeenApp, loadApp, readKeyText } from './directory.ts'
import { directory } from './directory-cache.ts'
import { findLicenseByCode, isLicenseId } from './licenses/commands.ts'

/** Authentication by API key, operator token or licence code. Sessions of people: people/guard.ts. */
export function createGuards(ctx: Context): Omit<Guards, 'person'> {
  /** Malformed credentials need no read; they are counted apart from guesses that need one. */
  const refuse = (network: string): never => {
    apiLimits(ctx).gate.refuse(`${network} unread`)
    throw unauthorized()
  }

  async function app({ authorization, params, network, ...request }: Credentials): Promise<Guarded> {
    const { gate, keys, apps } = apiLimits(ctx)
    const text = readKeyText(bearerToken(authorization) ?? '')
    if (!text) return refuse(network)
    // Guesses at unknown apps must not use up the limit of known apps.
    const subject = hasSeenApp(ctx, text.appId) ? `${network} ${text.appId}` : network
    const key = await gate.pass({ subject, secret: text.name }, () => findKey(ctx, text))
    if (!key) throw unauthorized()
    const { address, requestId } = request
    directory(ctx).noteUse(key, address)
    const headers = takeAll([keys, key.keyId], [apps, key.appId])
    // Same response whether the other app exists or not.
    const caller = key.appId === params.appId ? await loadApp(ctx, key.appId) : undefined
    if (!caller)
      throw new ApiError('forbidden', 'The API key does not belong to the app in the path.', { headers })
    if (!caller.isActive) throw appBlocked(headers)
    const actor = { kind: 'key', id: key.keyId, name: key.name, address, requestId } as const
    return { scope: key.appId, caller, keyId: key.keyId, keyScopes: key.scopes, actor, headers }
  }

  async function operator({ authorization, network, address, requestId }: Credentials): Promise<Guarded> {
    const expected = ctx.config.operatorToken
    if (!expected) throw notFound('The path')
    // An operator token may contain any characters, unlike our own keys.
    const given = bearerText(authorization) ?? ''
    // Hashes have equal length, so the comparison does not leak the length of the token.
    if (!sameBytes(sha256(given), sha256(expected.reveal()))) return refuse(network)
    const actor = { kind: 'operator', id: 'operator', name: 'operator', address, requestId } as const
    return { scope: 'operator', caller: undefined, actor }
  }

  async function license({ authorization, params, network }: Credentials): Promise<Guarded> {
    const code = bearerToken(authorization)
    const licenseId = params.licenseId ?? ''
    if (code === undefined || !isLicenseId(licenseId)) return refuse(network)
    const secret = sha256(`${licenseId}:${code}`).toString('base64')
    const find = async () => (await findLicenseByCode(ctx, licenseId, code)) || undefined
    if (!(await apiLimits(ctx).gate.pass({ subject: network, secret }, find))) throw unauthorized()
    return { scope: licenseId, caller: licenseId }
  }

  return { app, operator, license }
}
