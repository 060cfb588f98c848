import type { Route } from '../../http/route.ts'
import { API_ROUTES, PERSON_ROUTES, TEAM_ROUTES } from './api.ts'
import type { Permission } from './roles.ts'
import type { AppRule, RouteRow, SessionRule } from './rule.ts'

/** What each route of the API asks of a person: `METHOD /path` → rule. Pages declare theirs. */
export const APP_RULES: ReadonlyMap<string, AppRule> = new Map([
  ...rulesOf(API_ROUTES, '/api/apps/{appId}'),
  ...rulesOf(TEAM_ROUTES, '/api/team/resources/{appId}'),
])

function rulesOf(rows: Readonly<Record<string, RouteRow>>, base: string) {
  return Object.entries(rows).map(([route, row]): [string, AppRule] => {
    const [method = '', path = ''] = route.split(' ')
    return [`${method} ${base}${path}`, typeof row === 'string' ? { permission: row } : row]
  })
}

/** Undefined: refused to every person. */
export const ruleFor = (method: string, path: string): AppRule | undefined =>
  APP_RULES.get(`${method} ${path}`)

export const permissionFor = (method: string, path: string): Permission | undefined =>
  ruleFor(method, path)?.permission

const NOTHING: SessionRule = {}

/** The rule of a route for every person with a session. */
export const personRuleFor = (method: string, path: string): SessionRule =>
  PERSON_ROUTES[`${method} ${path}`] ?? NOTHING

/** What these routes ask of a person: routes of the API by the tables, pages by what they declare. */
export function accessOf(routes: readonly Route[]): ReadonlyMap<string, RouteRule> {
  const named = routes.map((route): [string, RouteRule | undefined] => {
    const name = `${route.method} ${route.path}`
    return [name, (route.access as RouteRule | undefined) ?? APP_RULES.get(name) ?? PERSON_ROUTES[name]]
  })
  return new Map(named.flatMap(([name, rule]) => (rule ? [[name, rule]] : [])))
}

/** Without a permission: for every person with a session. */
type RouteRule = SessionRule & Partial<AppRule>
