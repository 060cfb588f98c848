import type { Route } from '../../http/route.ts'
import type { Screens } from '../frame/screens.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { withProof } from '../profile/proof.tsx'
import { askAction, MEMBER_ACTIONS, postAction, postEnable } from './actions.tsx'
import { askInvite, postInvite, postWithdraw } from './invite.tsx'
import { askLeave, postLeave } from './leave.tsx'
import { showPermissions, showTeam } from './list.tsx'
import { askRole, pageOf, postRole, showMember } from './member.tsx'
import { askDisconnect, postDisconnect } from './shops.tsx'

const MEMBER = '/team/members/{personId}'

/** The members of the licence. Changes that give access to an account need a fresh proof. */
export function teamScreens({ app }: Screens): Route[] {
  const invitePage = ({ base }: AppVisit) => `${base}/team/invite`
  const rolePage = (visit: AppVisit) => `${pageOf(visit)}/role`
  return [
    app('GET', '/team', showTeam),
    app('GET', '/team/permissions', showPermissions),
    app(
      'GET',
      '/team/invite',
      withProof(invitePage, (visit) => askInvite(visit)),
    ),
    app('POST', '/team/invite', withProof(invitePage, postInvite)),
    app('POST', '/team/invitations/{linkId}/withdraw', postWithdraw),
    app('GET', '/team/leave', (visit) => askLeave(visit)),
    app('POST', '/team/leave', postLeave),
    app('GET', MEMBER, showMember),
    app(
      'GET',
      `${MEMBER}/role`,
      withProof(rolePage, (visit) => askRole(visit)),
    ),
    app('POST', `${MEMBER}/role`, withProof(rolePage, postRole)),
    app('POST', `${MEMBER}/enable`, postEnable),
    app('GET', '/team/shops/{host}/disconnect', askDisconnect),
    app('POST', '/team/shops/{host}/disconnect', postDisconnect),
    ...MEMBER_ACTIONS.flatMap((action) => {
      const page = (visit: AppVisit) => `${pageOf(visit)}/${action.path}`
      return [
        app(
          'GET',
          `${MEMBER}/${action.path}`,
          withProof(page, (visit) => askAction(visit, action)),
        ),
        app(
          'POST',
          `${MEMBER}/${action.path}`,
          withProof(page, (visit) => postAction(visit, action)),
        ),
      ]
    }),
  ]
}
