import { API_ROUTES } from './api.ts'
import { CONSOLE_ROUTES } from './console.ts'
import type { Permission } from './roles.ts'
import { TEAM_ROUTES } from './team.ts'

/** One table for API and console: `METHOD /path` → permission. */
const TABLE: ReadonlyMap<string, Permission> = new Map([
  ...Object.entries(API_ROUTES).flatMap(([permission, routes]) =>
    routes.map((route) => [fullRoute(route, '/api/apps/{appId}'), permission as Permission] as const),
  ),
  ...Object.entries(TEAM_ROUTES).map(
    ([route, permission]) => [fullRoute(route, '/api/team/resources/{appId}'), permission] as const,
  ),
  ...Object.entries(CONSOLE_ROUTES).map(
    ([route, permission]) => [fullRoute(route, '/console/{appId}'), permission] as const,
  ),
])

function fullRoute(route: string, base: string): string {
  const [method = '', path = ''] = route.split(' ')
  return `${method} ${base}${path}`
}

/** Undefined: refused to every person. */
export const permissionFor = (method: string, path: string): Permission | undefined =>
  TABLE.get(`${method} ${path}`)
