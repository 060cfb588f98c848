import type { Route } from '../http/route.ts'
import { KEY_SCOPES } from '../merchants/keys/scopes.ts'
import { PERMISSIONS, type Permission, permissionsOf, ROLES, type Role } from '../people/access/roles.ts'
import type { SessionRule } from '../people/access/rule.ts'
import { scopeAllows } from '../people/access/scopes.ts'
import { accessOf } from '../people/access/table.ts'
import { code, type Sheet } from './sheet.ts'

export const ROLES_SAY =
  'A person has one role in a licence. Each page and form of the console and each API route needs one of ' +
  'these permissions. An API key without scopes has all of them, except those about people.'

/** What each role may do. `says` describes a permission. */
export function roleSheet(description: Readonly<Record<Permission, string>>): Sheet {
  return {
    title: 'Permissions',
    columns: ['Permission', 'Name', ...ROLES],
    rows: PERMISSIONS.map((permission) => [
      description[permission],
      code(permission),
      ...ROLES.map((role) => {
        if (!permissionsOf(role).has(permission)) return '–'
        return role === 'Support' && permission === 'PaymentRefund' ? 'up to a daily amount' : '✓'
      }),
    ]),
  }
}

export const SCOPES_SAY =
  'An API key has scopes, or full access. It may call the routes of the permissions of its scopes and no ' +
  'others; the answer to others is 403 `key_scope`. A new key has the scope `read` unless others are named.'

/** What an API key with each scope may do. */
export const scopeSheet = (description: Readonly<Record<Permission, string>>): Sheet => ({
  title: 'Scopes of API keys',
  columns: ['Permission', 'Name', ...KEY_SCOPES],
  rows: PERMISSIONS.filter((permission) => KEY_SCOPES.some((scope) => scopeAllows(scope, permission))).map(
    (permission) => [
      description[permission],
      code(permission),
      ...KEY_SCOPES.map((scope) => (scopeAllows(scope, permission) ? '✓' : '–')),
    ],
  ),
})

export const ROUTES_SAY =
  'What each route asks of a person. With *proof*, the person must have signed in, or given a password, ' +
  'code or passkey, within the last five minutes: the console asks for it, and the API answers 403 ' +
  '`otp_required` and takes `otpCode`. Requests with an API key need none; their scopes bind them.'

const proofText = ({ proof, onlyWith }: SessionRule): string => {
  if (!proof) return '–'
  return onlyWith === undefined ? 'proof' : `proof, with ${code(onlyWith)}`
}

/** Roles × routes. */
export function routeSheet(routes: readonly Route[]): Sheet {
  const rules = [...accessOf(routes)]
  const rows = rules.map(([route, rule]) => {
    const { permission } = rule
    const isAllowed = (role: Role) => permission === undefined || permissionsOf(role).has(permission)
    return [
      code(route),
      permission === undefined ? 'a session' : code(permission),
      ...ROLES.map((role) => (isAllowed(role) ? '✓' : '–')),
      proofText(rule),
    ]
  })
  return { title: 'Routes', columns: ['Route', 'Permission', ...ROLES, 'Proof'], rows }
}
