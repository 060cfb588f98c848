import { API_ROUTES } from './api.ts'
import { CONSOLE_ROUTES } from './console.ts'
import { PERSON_ROUTES } from './person.ts'
import type { Permission } from './roles.ts'
import type { AppRule, RouteRow, SessionRule } from './rule.ts'
import { TEAM_ROUTES } from './team.ts'

/** One table for API and console: `METHOD /path` → what it asks of a person. */
export const APP_RULES: ReadonlyMap<string, AppRule> = new Map([
  ...rulesOf(API_ROUTES, '/api/apps/{appId}'),
  ...rulesOf(TEAM_ROUTES, '/api/team/resources/{appId}'),
  ...rulesOf(CONSOLE_ROUTES, '/console/{appId}'),
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

/** Of a route for every person with a session. */
export const personRuleFor = (method: string, path: string): SessionRule =>
  PERSON_ROUTES[`${method} ${path}`] ?? NOTHING
