import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { leaveRoutes, memberActions, postEnable } from './actions.tsx'
import { showPermissions, showTeam } from './list.tsx'
import { showMember } from './member.tsx'
import { ownRoleRoutes } from './own-roles.tsx'
import { MEMBER } from './parts.tsx'
import { postWithdraw, roleQuestions } from './roles.tsx'
import { disconnectRoutes } from './shops.tsx'

/** The members of the licence. */
export const teamScreens = (): ScreenRoute[] => [
  app('GET', '/team', 'RoleRead', showTeam),
  app('GET', '/team/permissions', 'RoleRead', showPermissions),
  app('POST', '/team/invitations/{linkId}/withdraw', proof('RoleWrite', '/team'), postWithdraw),
  app('GET', MEMBER, 'RoleRead', showMember),
  app('POST', `${MEMBER}/enable`, proof('RoleWrite', MEMBER), postEnable),
  ...roleQuestions,
  ...ownRoleRoutes,
  ...leaveRoutes,
  ...disconnectRoutes,
  ...memberActions,
]
