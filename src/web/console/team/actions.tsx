import type { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { setDisabled } from '../../../people/members/disable.ts'
import { notAllowed, removeMember } from '../../../people/members/members.ts'
import { createReset } from '../../../people/members/resets.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { endAllSessions } from '../../../people/sessions/sessions.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Ask } from '../../kit/html/forms.tsx'
import { pageOf } from './member.tsx'
import { crumbs, renderLink, managerOf, memberOf, orAgain, type TeamMember } from './parts.tsx'

interface Question {
  readonly title: string
  readonly body: string
  readonly button: string
}

/** A change of a member after a question: the page that asks, and the form that does it. */
interface MemberAction {
  readonly path: string
  readonly ask: (request: AppRequest, member: TeamMember) => Question
  readonly run: (request: AppRequest, member: TeamMember) => Promise<PageAnswer>
}

const isSelf = (request: AppRequest, { person }: TeamMember): boolean =>
  person.personId === request.person.personId

const REMOVE: MemberAction = {
  path: 'remove',
  ask: (request, member) => {
    const { team } = request.texts
    return isSelf(request, member)
      ? { title: team.leaveTitle, body: team.leaveBody, button: team.leave }
      : { title: team.removeTitle(member.person.name), body: team.removeBody, button: team.remove }
  },
  run: async (request, member) => {
    await removeMember(request.ctx, managerOf(request), request.app.licenseId, member.person.personId)
    return seeOther(isSelf(request, member) ? '/console' : `${request.base}/team?note=removed`)
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
  run: async (request, { person, licenseId }) => {
    const wanted = { licenseId, personId: person.personId, kind }
    const { url } = await createReset(request.ctx, request.person, wanted)
    return renderLink(request, { url, body: request.texts.team.resetLinkBody(person.email) })
  },
})

const SIGN_OUT: MemberAction = {
  path: 'sign-out',
  ask: ({ texts: { team } }, { person }) => ({
    title: team.signOutTitle(person.name),
    body: team.signOutBody,
    button: team.signOut,
  }),
  run: async (request, { person, role, licenseId }) => {
    if (!mayManage(request.role, role)) throw notAllowed()
    await endAllSessions(request.ctx, licenseId, person.personId)
    return seeOther(`${pageOf(request)}?note=signed-out`)
  },
}

const DISABLE: MemberAction = {
  path: 'disable',
  ask: ({ texts: { team } }, { person }) => ({
    title: team.disableTitle(person.name),
    body: team.disableBody,
    button: team.disable,
  }),
  run: (request, member) => disable(request, member, true),
}

/** An account belongs to all of its licences, so only operators disable it. */
async function disable(request: AppRequest, member: TeamMember, isDisabled: boolean): Promise<PageAnswer> {
  if (!request.person.isOperator || isSelf(request, member)) throw notAllowed()
  await setDisabled(request.ctx, member.person.personId, isDisabled)
  return seeOther(`${pageOf(request)}?note=${isDisabled ? 'disabled' : 'enabled'}`)
}

export const postEnable = async (request: AppRequest): Promise<PageAnswer> =>
  disable(request, await memberOf(request), false)

export const MEMBER_ACTIONS: readonly MemberAction[] = [
  REMOVE,
  resetAction('reset-password', 'password-reset'),
  resetAction('reset-second-factor', 'second-factor-reset'),
  SIGN_OUT,
  DISABLE,
]

export async function askAction(
  request: AppRequest,
  action: MemberAction,
  problem?: ApiError,
): Promise<PageAnswer> {
  const { title, body, button } = action.ask(request, await memberOf(request))
  return renderScreen(request, {
    name: 'team',
    title,
    crumbs: crumbs(request),
    status: problem?.status ?? 200,
    flash: problem ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <Ask action={`${pageOf(request)}/${action.path}`} button={button} kind="danger" back={pageOf(request)}>
        <p>{body}</p>
      </Ask>
    ),
  })
}

export const postAction = (request: AppRequest, action: MemberAction): Promise<PageAnswer> =>
  orAgain(
    async () => action.run(request, await memberOf(request)),
    (problem) => askAction(request, action, problem),
  )
