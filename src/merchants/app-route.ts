import type { TObject, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import { type Route, type RouteSpec, route } from '../http/route.ts'
import type { App } from './app.ts'

type AppRouteSpec<B extends TSchema, Q extends TObject, P extends TObject> = Omit<
  RouteSpec<App, B, Q, P>,
  'auth'
>

/** The `Link` header to the next page; `path` is relative to the app. */
export function nextPageLink(ctx: Context, { appId }: App, path: string, query: object): string {
  const next = new URLSearchParams({ ...query })
  return `<${ctx.config.publicUrl}/api/apps/${appId}/${path}?${next}>; rel="next"`
}

/** Response header documentation for routes with such pages. */
export const LINK_HEADER = { Link: 'The next page, `rel="next"`, when there is one.' }

/** A route with a path relative to `/api/apps/{appId}`. Its handler gets the app of the API key. */
export function appRoute<B extends TSchema, Q extends TObject, P extends TObject>(
  spec: AppRouteSpec<B, Q, P>,
): Route {
  return route<App, B, Q, P>({ ...spec, path: `/api/apps/{appId}${spec.path}`, auth: 'app' })
}
