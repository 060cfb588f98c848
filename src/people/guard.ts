import { ApiError } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { readCookie } from '../http/client/cookie.ts'
import { type Credentials, type Guarded, type Guards, unauthorized } from '../http/guard.ts'
import { takeAll } from '../http/limits/rate-limit.ts'
import { appBlocked } from '../merchants/apps/block.ts'
import { loadApp } from '../merchants/directory.ts'
import { scopeAllows, scopesFor } from './access/scopes.ts'
import { permissionFor } from './access/table.ts'
import { cookieName, isForeign } from './cookie.ts'
import { may, type SignedIn } from './signed-in.ts'

/** The person of a session token; undefined for an unknown or ended session. */
export type FindSignedIn = (token: string) => Promise<SignedIn | undefined>

/**
 * Adds the sessions of people to the other guards: a request to an app's route without an API key may come
 * from a member of its licence, whose role must have the permission of the route.
 */
export function withSessions(
  ctx: Context,
  guards: Omit<Guards, 'person'>,
  findSignedIn: FindSignedIn,
): Guards {
  async function person(credentials: Credentials): Promise<Guarded> {
    const { headers, route, address, requestId } = credentials
    if (credentials.authorization !== undefined)
      throw new ApiError('forbidden', 'This is for people with a console session, not for API keys.')
    if (route.method !== 'GET' && isForeign(ctx, headers))
      throw new ApiError('forbidden', 'The request was sent from another site.')
    const token = readCookie(headers, cookieName(ctx))
    const found = token === undefined ? undefined : await findSignedIn(token)
    if (!found) throw unauthorized()
    const actor = { kind: 'person', id: found.personId, name: found.email, address, requestId } as const
    return { scope: found.personId, caller: found, actor }
  }

  async function app(credentials: Credentials): Promise<Guarded> {
    const { authorization, headers, params, route } = credentials
    const hasCookie = readCookie(headers, cookieName(ctx)) !== undefined
    if (authorization !== undefined || !hasCookie) return withinScopes(await guards.app(credentials), route)
    const session = await person(credentials)
    const found = await loadApp(ctx, params.appId ?? '')
    const permission = permissionFor(route.method, route.path)
    const isAllowed = found && permission && may(session.caller as SignedIn, found.licenseId, permission)
    // Same response whether the app exists or not.
    if (!isAllowed) throw new ApiError('forbidden', 'Your role does not allow this.')
    if (!found.isActive) throw appBlocked()
    const { keys, apps } = ctx.node.apiLimits
    const limits = takeAll([keys, session.scope], [apps, found.appId])
    return { ...session, scope: found.appId, caller: found, headers: limits }
  }

  return { ...guards, app, person }
}

/** Refuses what none of the key's scopes allows; a route that the table does not name is refused too. */
function withinScopes(guarded: Guarded, { method, path }: Credentials['route']): Guarded {
  const { keyScopes, headers = {} } = guarded
  if (!keyScopes) return guarded
  const permission = permissionFor(method, path)
  if (permission && keyScopes.some((scope) => scopeAllows(scope, permission))) return guarded
  const enough = scopesFor(permission)
  const needed = enough.length > 0 ? `the scope ${enough.join(' or ')}` : 'full access'
  throw new ApiError('key_scope', `The API key may not do this. It needs ${needed}.`, { headers })
}
