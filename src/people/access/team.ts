import type { Permission } from './roles.ts'

/** The permission that a person needs for each team route, relative to `/api/team/resources/{appId}`. */
export const TEAM_ROUTES: Readonly<Record<string, Permission>> = {
  'GET /user-roles': 'RoleRead',
  'GET /roles': 'RoleRead',
  'POST /roles/{roleId}/users/email:{email}': 'RoleWrite',
  'POST /roles/{roleId}/users/{userId}': 'RoleWrite',
  // Every member may leave; the command checks who removes others.
  'DELETE /roles/{roleId}/users/{userId}': 'DashboardRead',
  'POST /roles/{roleId}/bots': 'DeveloperWrite',
  'POST /bots': 'DeveloperWrite',
}
