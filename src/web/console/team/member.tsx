import type { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { changeRole } from '../../../people/members/members.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { errorsByField, retryForm } from '../../kit/refusal.ts'
import { Question, AskButton, PostButton } from '../../kit/html/forms.tsx'
import { Time } from '../../kit/format/time.tsx'
import { readRole } from './invite.tsx'
import { limitLines } from './limits.ts'
import { Address, crumbs, managerOf, memberOf, RoleFields, type TeamMember } from './parts.tsx'
import { useRequest } from '../../kit/screen.tsx'

export const pageOf = ({ base, call }: AppRequest): string => `${base}/team/members/${call.params.personId}`

export async function showMember(request: AppRequest): Promise<PageAnswer> {
  const { texts } = request
  const { team } = texts
  const member = await memberOf(request)
  const { person, role, refundLimits } = member
  return renderScreen(request, {
    name: 'team',
    title: person.name,
    crumbs: crumbs(request),
    children: (
      <Card class="form-card">
        <KeyValue
          rows={[
            [team.email, <Address person={person} />],
            [team.role, role],
            role === 'Support'
              ? [team.limits, limitLines(refundLimits).replaceAll('\n', ', ') || team.noLimits]
              : undefined,
            [team.second, person.hasTotp ? team.on : team.off],
            [team.lastSeen, person.lastSeenTime ? <Time time={person.lastSeenTime} /> : team.never],
            [team.joined, <Time time={person.createdTime} style="day" />],
          ]}
        />
        {request.can('RoleWrite') && <MemberActions member={member} />}
      </Card>
    ),
  })
}

function MemberActions({ member }: { readonly member: TeamMember }) {
  const request = useRequest()
  const { team } = request.texts
  const { person, role } = member
  const page = pageOf(request)
  const isSelf = person.personId === request.person.personId
  const disabled = mayManage(request.role, role) ? undefined : team.notAllowed
  if (isSelf)
    return (
      <div class="buttons">
        <AskButton href={`${page}/role`} disabled={disabled}>
          {team.changeRole}
        </AskButton>
        <AskButton href={`${page}/remove`}>{team.leave}</AskButton>
      </div>
    )
  return (
    <div class="buttons">
      <AskButton href={`${page}/role`} disabled={disabled}>
        {team.changeRole}
      </AskButton>
      <AskButton href={`${page}/reset-password`} disabled={disabled}>
        {team.resetPassword}
      </AskButton>
      {person.hasTotp && (
        <AskButton href={`${page}/reset-second-factor`} disabled={disabled}>
          {team.resetSecond}
        </AskButton>
      )}
      <AskButton href={`${page}/sign-out`} disabled={disabled}>
        {team.signOut}
      </AskButton>
      {request.person.isOperator &&
        (person.isDisabled ? (
          <PostButton action={`${page}/enable`}>{team.enable}</PostButton>
        ) : (
          <AskButton href={`${page}/disable`}>{team.disable}</AskButton>
        ))}
      <AskButton href={`${page}/remove`} disabled={disabled}>
        {team.remove}
      </AskButton>
    </div>
  )
}

export async function askRole(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { texts, call } = request
  const { team } = texts
  const { person, role, refundLimits } = await memberOf(request)
  const wrong = errorsByField(problem)
  return renderScreen(request, {
    name: 'team',
    title: team.changeTitle(person.name),
    crumbs: crumbs(request),
    status: problem?.status ?? 200,
    flash: problem && wrong.size === 0 ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <Question action={`${pageOf(request)}/role`} button={team.changeRole} back={pageOf(request)}>
        <RoleFields
          role={role}
          limits={call.form.get('refundLimits') ?? limitLines(refundLimits)}
          wrong={wrong}
        />
      </Question>
    ),
  })
}

export const postRole = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, app, call } = request
      const change = { licenseId: app.licenseId, personId: call.params.personId ?? '', ...readRole(request) }
      await changeRole(ctx, managerOf(request), change)
      return seeOther(`${pageOf(request)}?note=changed`)
    },
    (problem) => askRole(request, problem),
  )
