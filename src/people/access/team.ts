import type { RouteRow } from './rule.ts'

/** What each team route asks of a person, relative to `/api/team/resources/{appId}`. */
export const TEAM_ROUTES: Readonly<Record<string, RouteRow>> = {
  'GET /user-roles': 'RoleRead',
  'GET /roles': 'RoleRead',
  'POST /roles/{roleId}/users/email:{email}': { permission: 'RoleWrite', proof: true },
  'POST /roles/{roleId}/users/{userId}': { permission: 'RoleWrite', proof: true },
  // Every member may leave; the command checks who removes others.
  'DELETE /roles/{roleId}/users/{userId}': { permission: 'DashboardRead', proof: true },
  'POST /roles/{roleId}/bots': { permission: 'DeveloperWrite', proof: true },
  'POST /bots': { permission: 'DeveloperWrite', proof: true },
}
