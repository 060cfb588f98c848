import { mayManage } from '../../../people/members/rules.ts'
import { mayHaveLimits } from '../../../people/refunds/rules.ts'
import { roleName } from '../../../people/signed-in.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { Address, crumbs, isSelf, memberOf, pageOf, type TeamMember } from './parts.tsx'
import { limitLines } from './roles.tsx'

export async function showMember(request: AppRequest): Promise<PageAnswer> {
  const { team } = request.texts
  const member = await memberOf(request)
  const { person, role, refundLimits } = member
  const noLimits = role === 'Support' ? team.noLimits : team.unlimited
  return renderScreen(request, {
    name: 'team',
    title: person.name,
    crumbs: crumbs(request),
    children: (
      <Card class="form-card">
        <KeyValue
          rows={[
            [team.email, <Address person={person} />],
            [team.role, <bdi>{roleName(member)}</bdi>],
            mayHaveLimits(role)
              ? [team.limits, limitLines(request, refundLimits).replaceAll('\n', ', ') || noLimits]
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
  const obstacle = mayManage(request.role, role) ? undefined : team.notAllowed
  const ask = (path: string, label: string) => (
    <QuestionButton href={`${page}/${path}`} disabled={obstacle}>
      {label}
    </QuestionButton>
  )
  if (isSelf(request, member))
    return (
      <div class="buttons">
        {ask('role', team.changeRole)}
        <QuestionButton href={`${page}/remove`}>{team.leave}</QuestionButton>
      </div>
    )
  return (
    <div class="buttons">
      {ask('role', team.changeRole)}
      {ask('reset-password', team.resetPassword)}
      {person.hasTotp && ask('reset-second-factor', team.resetSecond)}
      {ask('sign-out', team.signOut)}
      {request.person.isOperator &&
        (person.isDisabled ? (
          <PostButton action={`${page}/enable`}>{team.enable}</PostButton>
        ) : (
          <QuestionButton href={`${page}/disable`}>{team.disable}</QuestionButton>
        ))}
      {ask('remove', team.remove)}
    </div>
  )
}
