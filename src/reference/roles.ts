import { KEY_SCOPES } from '../merchants/keys/scopes.ts'
import { PERMISSIONS, type Permission, permissionsOf, ROLES } from '../people/access/roles.ts'
import { scopeAllows } from '../people/access/scopes.ts'
import { code, type Sheet } from './sheet.ts'

export const ROLES_SAY =
  'A person has one role in a licence. Each page and form of the console and each API route needs one of ' +
  'these permissions. An API key without scopes has all of them, except those about people.'

/** What each role may do. `says` describes a permission. */
export function roleSheet(says: Readonly<Record<Permission, string>>): Sheet {
  return {
    title: 'Permissions',
    columns: ['Permission', 'Name', ...ROLES],
    rows: PERMISSIONS.map((permission) => [
      says[permission],
      code(permission),
      ...ROLES.map((role) => {
        if (!permissionsOf(role).has(permission)) return '–'
        return role === 'Support' && permission === 'PaymentRefund' ? 'up to a daily amount' : '✓'
      }),
    ]),
  }
}

export const SCOPES_SAY =
  'An API key may be limited to scopes when it is made. It may then call the routes of these permissions ' +
  'and no others; the answer to others is 403 `key_scope`.'

/** What an API key with each scope may do. */
export const scopeSheet = (says: Readonly<Record<Permission, string>>): Sheet => ({
  title: 'Scopes of API keys',
  columns: ['Permission', 'Name', ...KEY_SCOPES],
  rows: PERMISSIONS.filter((permission) => KEY_SCOPES.some((scope) => scopeAllows(scope, permission))).map(
    (permission) => [
      says[permission],
      code(permission),
      ...KEY_SCOPES.map((scope) => (scopeAllows(scope, permission) ? '✓' : '–')),
    ],
  ),
})
