import { PERMISSIONS, type Permission, permissionsOf, ROLES } from '../people/access/roles.ts'
import { code, type Sheet } from './sheet.ts'

export const ROLES_SAY =
  'A person has one role in a licence. Each page and form of the console and each API route needs one of ' +
  'these permissions. API keys have all of them, except those about people.'

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
