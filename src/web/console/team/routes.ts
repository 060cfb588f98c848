import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { memberActions, postEnable } from './actions.tsx'
import { askInvite, postInvite, postWithdraw } from './invite.tsx'
import { askLeave, postLeave } from './leave.tsx'
import { showPermissions, showTeam } from './list.tsx'
import { askRole, postRole, showMember } from './member.tsx'
import { disconnectRoutes } from './shops.tsx'

const MEMBER = '/team/members/{personId}'

/** The members of the licence. */
export function teamScreens(): ScreenRoute[] {
  return [
    app('GET', '/team', 'RoleRead', showTeam),
    app('GET', '/team/permissions', 'RoleRead', showPermissions),
    app('GET', '/team/invite', proof('RoleWrite'), (request) => askInvite(request)),
    app('POST', '/team/invite', proof('RoleWrite'), postInvite),
    app('POST', '/team/invitations/{linkId}/withdraw', proof('RoleWrite', '/team'), postWithdraw),
    app('GET', '/team/leave', proof('DashboardRead'), (request) => askLeave(request)),
    app('POST', '/team/leave', proof('DashboardRead'), postLeave),
    app('GET', MEMBER, 'RoleRead', showMember),
    app('GET', `${MEMBER}/role`, proof('RoleWrite'), (request) => askRole(request)),
    app('POST', `${MEMBER}/role`, proof('RoleWrite'), postRole),
    app('POST', `${MEMBER}/enable`, proof('RoleWrite', '/team/members/{personId}'), postEnable),
    ...disconnectRoutes,
    ...memberActions,
  ]
}
