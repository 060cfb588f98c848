import { leaveLicense } from '../../../people/licenses/visits.ts'
import { setDisabled } from '../../../people/members/disable.ts'
import { notAllowed, removeMember } from '../../../people/members/members.ts'
import { createReset } from '../../../people/members/resets.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { endAllSessions } from '../../../people/sessions/sessions.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { type QuestionTexts, question } from '../../kit/question.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { proof, type ScreenRoute } from '../../kit/route.ts'
import type { ConsoleTexts } from '../../kit/texts/texts.ts'
import { PROFILE, crumbs as profileCrumbs } from '../profile/page.tsx'
import { crumbs, isSelf, MEMBER, managerOf, memberOf, pageOf, renderLink, type TeamMember } from './parts.tsx'

interface MemberAction {
  readonly texts: (team: ConsoleTexts['team'], member: TeamMember, request: AppRequest) => QuestionTexts
  readonly run: (request: AppRequest, member: TeamMember) => Promise<PageAnswer | string>
}

/** A change of a member after a question. */
const action = (path: string, { texts, run }: MemberAction): ScreenRoute[] =>
  question(`${MEMBER}/${path}`, proof('RoleWrite'), {
    kind: 'danger',
    subject: memberOf,
    crumbs,
    texts: ({ team }, member, request) => texts(team, member, request),
    run,
  })

const resetting =
  (kind: 'password-reset' | 'second-factor-reset'): MemberAction['run'] =>
  async (request, { person, licenseId }) => {
    const { url } = await createReset(request.ctx, request.person, {
      licenseId,
      personId: person.personId,
      kind,
    })
    return renderLink(request, url, request.texts.team.resetLinkBody({ email: person.email }))
  }

/** An account belongs to all of its licences, so only operators disable it. */
async function disable(request: AppRequest, member: TeamMember, isDisabled: boolean): Promise<string> {
  if (!request.person.isOperator || isSelf(request, member)) throw notAllowed()
  await setDisabled(request.ctx, member.person.personId, isDisabled)
  return isDisabled ? 'disabled' : 'enabled'
}

export const postEnable = async (request: AppRequest): Promise<PageAnswer> =>
  seeOther(`${pageOf(request)}?note=${await disable(request, await memberOf(request), false)}`)

export const memberActions: readonly ScreenRoute[] = [
  ...action('remove', {
    texts: (team, member, request) =>
      isSelf(request, member)
        ? { title: team.leaveTitle, body: team.leaveBody, button: team.leave }
        : {
            title: team.removeTitle({ name: member.person.name }),
            body: team.removeBody,
            button: team.remove,
          },
    run: async (request, member) => {
      await removeMember(request.ctx, managerOf(request), request.app.licenseId, member.person.personId)
      return seeOther(isSelf(request, member) ? '/console' : `${request.base}/team?note=removed`)
    },
  }),
  ...action('reset-password', {
    texts: (team, { person }) => ({
      title: team.resetPasswordTitle({ name: person.name }),
      body: team.resetPasswordBody,
      button: team.resetPassword,
    }),
    run: resetting('password-reset'),
  }),
  ...action('reset-second-factor', {
    texts: (team, { person }) => ({
      title: team.resetSecondTitle({ name: person.name }),
      body: team.resetSecondBody,
      button: team.resetSecond,
    }),
    run: resetting('second-factor-reset'),
  }),
  ...action('sign-out', {
    texts: (team, { person }) => ({
      title: team.signOutTitle({ name: person.name }),
      body: team.signOutBody,
      button: team.signOut,
    }),
    run: async (request, { person, role, licenseId }) => {
      if (!mayManage(request.role, role)) throw notAllowed()
      await endAllSessions(request.ctx, licenseId, person.personId)
      return 'signed-out'
    },
  }),
  ...action('disable', {
    texts: (team, { person }) => ({
      title: team.disableTitle({ name: person.name }),
      body: team.disableBody,
      button: team.disable,
    }),
    run: (request, member) => disable(request, member, true),
  }),
]

/** A member of any role leaves the team, an operator ends a visit. The command keeps the last owner. */
export const leaveRoutes = question('/team/leave', proof('DashboardRead'), {
  kind: 'danger',
  screen: 'profile',
  back: PROFILE,
  crumbs: profileCrumbs,
  texts: ({ team }) => ({ title: team.leaveTitle, button: team.leave }),
  fields: ({ app, texts }) => (
    <>
      <p>
        <bdi>{app.friendlyName}</bdi>
      </p>
      <p>{texts.team.leaveBody}</p>
    </>
  ),
  run: async (request) => {
    const { ctx, app, person } = request
    if (membershipOf(person, app.licenseId)?.endsTime) await leaveLicense(ctx, app.licenseId, person.personId)
    else await removeMember(ctx, managerOf(request), app.licenseId, person.personId)
    return seeOther('/console')
  },
})
