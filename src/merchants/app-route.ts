import type { TObject, TSchema } from 'typebox'
import { type Route, type RouteSpec, route } from '../http/route.ts'
import type { App } from './app.ts'

type AppRouteSpec<B extends TSchema, Q extends TObject, P extends TObject> = Omit<
  RouteSpec<App, B, Q, P>,
  'auth'
>

/** A route under `/api/apps/{appId}`, given relative to it. Its handler gets the app of the key. */
export function appRoute<B extends TSchema, Q extends TObject, P extends TObject>(
  spec: AppRouteSpec<B, Q, P>,
): Route {
  return route<App, B, Q, P>({ ...spec, path: `/api/apps/{appId}${spec.path}`, auth: 'app' })
}
