import type { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { setDisabled } from '../../../people/members/disable.ts'
import { notAllowed, removeMember } from '../../../people/members/members.ts'
import { createReset } from '../../../people/members/resets.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { endAllSessions } from '../../../people/sessions/sessions.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { Ask } from '../parts/forms.tsx'
import { pageOf } from './member.tsx'
import { crumbs, drawLink, managerOf, memberOf, orAgain, type TeamMember } from './parts.tsx'

interface Question {
  readonly title: string
  readonly body: string
  readonly button: string
}

/** A change of a member after a question: the page that asks, and the form that does it. */
interface MemberAction {
  readonly path: string
  readonly ask: (visit: AppVisit, member: TeamMember) => Question
  readonly run: (visit: AppVisit, member: TeamMember) => Promise<PageAnswer>
}

const isSelf = (visit: AppVisit, { person }: TeamMember): boolean => person.personId === visit.person.personId

const REMOVE: MemberAction = {
  path: 'remove',
  ask: (visit, member) => {
    const { team } = visit.texts
    return isSelf(visit, member)
      ? { title: team.leaveTitle, body: team.leaveBody, button: team.leave }
      : { title: team.removeTitle(member.person.name), body: team.removeBody, button: team.remove }
  },
  run: async (visit, member) => {
    await removeMember(visit.ctx, managerOf(visit), visit.app.licenseId, member.person.personId)
    return seeOther(isSelf(visit, member) ? '/console' : `${visit.base}/team?note=removed`)
  },
}

const resetAction = (path: string, kind: 'password-reset' | 'second-factor-reset'): MemberAction => ({
  path,
  ask: ({ texts: { team } }, { person }) =>
    kind === 'password-reset'
      ? {
          title: team.resetPasswordTitle(person.name),
          body: team.resetPasswordBody,
          button: team.resetPassword,
        }
      : { title: team.resetSecondTitle(person.name), body: team.resetSecondBody, button: team.resetSecond },
  run: async (visit, { person, licenseId }) => {
    const request = { licenseId, personId: person.personId, kind }
    const { url } = await createReset(visit.ctx, visit.person, request)
    return drawLink(visit, { url, body: visit.texts.team.resetLinkBody(person.email) })
  },
})

const SIGN_OUT: MemberAction = {
  path: 'sign-out',
  ask: ({ texts: { team } }, { person }) => ({
    title: team.signOutTitle(person.name),
    body: team.signOutBody,
    button: team.signOut,
  }),
  run: async (visit, { person, role, licenseId }) => {
    if (!mayManage(visit.role, role)) throw notAllowed()
    await endAllSessions(visit.ctx, licenseId, person.personId)
    return seeOther(`${pageOf(visit)}?note=signed-out`)
  },
}

const DISABLE: MemberAction = {
  path: 'disable',
  ask: ({ texts: { team } }, { person }) => ({
    title: team.disableTitle(person.name),
    body: team.disableBody,
    button: team.disable,
  }),
  run: (visit, member) => disable(visit, member, true),
}

/** An account belongs to all of its licences, so only operators disable it. */
async function disable(visit: AppVisit, member: TeamMember, isDisabled: boolean): Promise<PageAnswer> {
  if (!visit.person.isOperator || isSelf(visit, member)) throw notAllowed()
  await setDisabled(visit.ctx, member.person.personId, isDisabled)
  return seeOther(`${pageOf(visit)}?note=${isDisabled ? 'disabled' : 'enabled'}`)
}

export const postEnable = async (visit: AppVisit): Promise<PageAnswer> =>
  disable(visit, await memberOf(visit), false)

export const MEMBER_ACTIONS: readonly MemberAction[] = [
  REMOVE,
  resetAction('reset-password', 'password-reset'),
  resetAction('reset-second-factor', 'second-factor-reset'),
  SIGN_OUT,
  DISABLE,
]

export async function askAction(
  visit: AppVisit,
  action: MemberAction,
  problem?: ApiError,
): Promise<PageAnswer> {
  const { title, body, button } = action.ask(visit, await memberOf(visit))
  return drawScreen(visit, {
    name: 'team',
    title,
    crumbs: crumbs(visit),
    status: problem?.status ?? 200,
    flash: problem ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <Ask
        visit={visit}
        action={`${pageOf(visit)}/${action.path}`}
        button={button}
        kind="danger"
        back={pageOf(visit)}
      >
        <p>{body}</p>
      </Ask>
    ),
  })
}

export const postAction = (visit: AppVisit, action: MemberAction): Promise<PageAnswer> =>
  orAgain(
    async () => action.run(visit, await memberOf(visit)),
    (problem) => askAction(visit, action, problem),
  )
