import type { Permission } from '../../people/access/roles.ts'
import type { AppRule, SessionRule } from '../../people/access/rule.ts'
import type { AppRequest, OpenRequest, PersonRequest } from './frame/request.ts'
import type { PageAnswer } from './request/answer.ts'

/**
 * Routes of the console as data. Each declares what it asks of a person; frame/serve.ts checks that before
 * the handler runs.
 */
export type ScreenRoute = ScreenMethod &
  (
    | { readonly kind: 'open'; readonly handler: Handler<OpenRequest> }
    | { readonly kind: 'person'; readonly rule: SessionRule; readonly handler: Handler<PersonRequest> }
    | { readonly kind: 'app'; readonly rule: AppRule; readonly handler: Handler<AppRequest> }
  )

interface ScreenMethod {
  readonly method: Method
  /** From the root: `/console/{appId}/payments`. */
  readonly path: string
  readonly form?: FormSize
}

/** The size of a form that has files, or more than 16 KiB. */
export interface FormSize {
  readonly formBytes: number
  readonly takesFiles?: true
}

type Method = 'GET' | 'POST'
type Handler<R> = (request: R) => PageAnswer | Promise<PageAnswer>

export const CONSOLE = '/console'
export const APP = '/console/{appId}'

/** A route for anyone, such as the sign-in page. The path is relative to `/console`. */
export const open = (method: Method, path: string, handler: Handler<OpenRequest>): ScreenRoute => ({
  kind: 'open',
  method,
  path: CONSOLE + path,
  handler,
})

interface PersonOptions extends SessionRule {
  /** Instead of `/console`. */
  readonly root?: '/auth'
}

/** A route for every person with a session, such as the profile. The path is relative to `/console`. */
export const person = (
  method: Method,
  path: string,
  handler: Handler<PersonRequest>,
  { root, ...rule }: PersonOptions = {},
): ScreenRoute => ({ kind: 'person', method, path: (root ?? CONSOLE) + path, handler, rule })

/**
 * A route for members of the app's licence whose role has the permission. The path is relative to
 * `/console/{appId}`.
 */
export function app(
  method: Method,
  path: string,
  rule: Permission | AppRule,
  ...[handler, form]: readonly [handler: Handler<AppRequest>, form?: FormSize]
): ScreenRoute {
  const asked = typeof rule === 'string' ? { permission: rule } : rule
  return { kind: 'app', method, path: APP + path, rule: asked, handler, ...(form && { form }) }
}

/**
 * The permission and a fresh proof that the person is present. The proof leads back to the address of the
 * request, or to this page where that is no page.
 */
export const proof = (permission: Permission, page?: string): AppRule => ({
  permission,
  proof: true,
  ...(page !== undefined && { page }),
})
