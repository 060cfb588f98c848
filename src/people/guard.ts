import type { Actor } from '../base/actor.ts'
import { ApiError } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { readCookie } from '../http/client/cookie.ts'
import { type Credentials, type Guarded, type Guards, unauthorized } from '../http/guard.ts'
import { takeAll } from '../http/limits/rate-limit.ts'
import { apiLimits } from '../merchants/api-limits.ts'
import { appBlocked } from '../merchants/apps/block.ts'
import { loadApp } from '../merchants/directory.ts'
import { checkProof } from './access/proof.ts'
import type { Permission } from './access/roles.ts'
import { grantsIn, scopeAllows, scopesFor } from './access/scopes.ts'
import { permissionFor, personRuleFor, ruleFor } from './access/table.ts'
import { cookieName, isForeign } from './cookie.ts'
import { may, type SignedIn } from './signed-in.ts'

/** The person of a session token; undefined for an unknown or ended session. */
export type FindSignedIn = (token: string) => Promise<SignedIn | undefined>

/**
 * Adds the sessions of people to the other guards: a request to an app's route without an API key may come
 * from a member of its licence, whose role must have the permission of the route. Both kinds of routes may
 * ask for a fresh proof.
 */
export function withSessions(
  ctx: Context,
  guards: Omit<Guards, 'person'>,
  findSignedIn: FindSignedIn,
): Guards {
  async function session({ headers, route, authorization }: Credentials): Promise<SignedIn> {
    if (authorization !== undefined)
      throw new ApiError('forbidden', 'This is for people with a console session, not for API keys.')
    if (route.method !== 'GET' && isForeign(ctx, headers))
      throw new ApiError('forbidden', 'The request was sent from another site.')
    const token = readCookie(headers, cookieName(ctx))
    const found = token === undefined ? undefined : await findSignedIn(token)
    if (!found) throw unauthorized()
    return found
  }

  async function person(credentials: Credentials): Promise<Guarded> {
    const found = await session(credentials)
    const { route, url } = credentials
    const code = await checkProof(ctx, found, personRuleFor(route.method, route.path), url)
    return { scope: found.personId, caller: found, actor: { ...actorOf(found, credentials), code } }
  }

  async function app(credentials: Credentials): Promise<Guarded> {
    const { authorization, headers, params, route, url } = credentials
    const hasCookie = readCookie(headers, cookieName(ctx)) !== undefined
    if (authorization !== undefined || !hasCookie) return withinScopes(await guards.app(credentials), route)
    const found = await session(credentials)
    const wanted = await loadApp(ctx, params.appId ?? '')
    const rule = ruleFor(route.method, route.path)
    const isAllowed = wanted && rule && may(found, wanted.licenseId, rule.permission)
    // Same response whether the app exists or not.
    if (!isAllowed) throw new ApiError('forbidden', 'Your role does not allow this.')
    if (!wanted.isActive) throw appBlocked()
    const { keys, apps } = apiLimits(ctx)
    const limits = takeAll([keys, found.personId], [apps, wanted.appId])
    const code = await checkProof(ctx, found, rule, url)
    const grants = grantsIn(found, wanted.licenseId)
    const mayToo = (permission: string) => may(found, wanted.licenseId, permission as Permission)
    const actor = { ...actorOf(found, credentials), code, grants, may: mayToo }
    return { scope: wanted.appId, caller: wanted, actor, headers: limits }
  }

  return { ...guards, app, person }
}

const actorOf = (
  { personId, email }: SignedIn,
  { address, requestId }: Pick<Credentials, 'address' | 'requestId'>,
): Actor => ({ kind: 'person', id: personId, name: email, address, requestId })

/** Refuses what none of the key's scopes allows; a route that the table does not name is refused too. */
function withinScopes(guarded: Guarded, { method, path }: Credentials['route']): Guarded {
  const { keyScopes = null, headers = {}, actor } = guarded
  const allows = (permission: Permission) =>
    !keyScopes || keyScopes.some((scope) => scopeAllows(scope, permission))
  const mayToo = (permission: string) => allows(permission as Permission)
  const granting = { ...guarded, ...(actor && { actor: { ...actor, grants: keyScopes, may: mayToo } }) }
  if (!keyScopes) return granting
  const permission = permissionFor(method, path)
  if (permission && allows(permission)) return granting
  const enough = scopesFor(permission)
  const needed = enough.length > 0 ? `the scope ${enough.join(' or ')}` : 'full access'
  throw new ApiError('key_scope', `The API key may not do this. It needs ${needed}.`, { headers })
}
