import type { Route } from '../../../http/route.ts'
import type { Screens } from '../frame/screens.tsx'
import { askAction, MEMBER_ACTIONS, postAction, postEnable } from './actions.tsx'
import { askInvite, postInvite, postWithdraw } from './invite.tsx'
import { askLeave, postLeave } from './leave.tsx'
import { showPermissions, showTeam } from './list.tsx'
import { askRole, postRole, showMember } from './member.tsx'
import { askDisconnect, postDisconnect } from './shops.tsx'

const MEMBER = '/team/members/{personId}'

/** The members of the licence. */
export function teamScreens({ app }: Screens): Route[] {
  return [
    app('GET', '/team', showTeam),
    app('GET', '/team/permissions', showPermissions),
    app('GET', '/team/invite', (visit) => askInvite(visit)),
    app('POST', '/team/invite', postInvite),
    app('POST', '/team/invitations/{linkId}/withdraw', postWithdraw),
    app('GET', '/team/leave', (visit) => askLeave(visit)),
    app('POST', '/team/leave', postLeave),
    app('GET', MEMBER, showMember),
    app('GET', `${MEMBER}/role`, (visit) => askRole(visit)),
    app('POST', `${MEMBER}/role`, postRole),
    app('POST', `${MEMBER}/enable`, postEnable),
    app('GET', '/team/shops/{host}/disconnect', askDisconnect),
    app('POST', '/team/shops/{host}/disconnect', postDisconnect),
    ...MEMBER_ACTIONS.flatMap((action) => [
      app('GET', `${MEMBER}/${action.path}`, (visit) => askAction(visit, action)),
      app('POST', `${MEMBER}/${action.path}`, (visit) => postAction(visit, action)),
    ]),
  ]
}
