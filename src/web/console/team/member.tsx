import type { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { changeRole } from '../../../people/members/members.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { errorsByField } from '../parts/form-errors.ts'
import { Ask, AskButton, PostButton } from '../parts/forms.tsx'
import { Time } from '../parts/time.tsx'
import { readRole } from './invite.tsx'
import { limitLines } from './limits.ts'
import { Address, crumbs, managerOf, memberOf, orAgain, RoleFields, type TeamMember } from './parts.tsx'

export const pageOf = ({ base, call }: AppVisit): string => `${base}/team/members/${call.params.personId}`

export async function showMember(visit: AppVisit): Promise<PageAnswer> {
  const { texts, call } = visit
  const { team } = texts
  const member = await memberOf(visit)
  const { person, role, refundLimits } = member
  const note = Object.hasOwn(team.notes, call.query.note ?? '')
    ? team.notes[call.query.note as keyof typeof team.notes]
    : undefined
  return drawScreen(visit, {
    name: 'team',
    title: person.name,
    crumbs: crumbs(visit),
    flash: note ? { kind: 'ok', text: note } : undefined,
    children: (
      <Card class="form-card">
        <KeyValue
          rows={[
            [team.email, <Address visit={visit} person={person} />],
            [team.role, role],
            role === 'Support'
              ? [team.limits, limitLines(refundLimits).replaceAll('\n', ', ') || team.noLimits]
              : undefined,
            [team.second, person.hasTotp ? team.on : team.off],
            [
              team.lastSeen,
              person.lastSeenTime ? <Time visit={visit} time={person.lastSeenTime} /> : team.never,
            ],
            [team.joined, <Time visit={visit} time={person.createdTime} style="day" />],
          ]}
        />
        {visit.can('RoleWrite') && <MemberActions visit={visit} member={member} />}
      </Card>
    ),
  })
}

function MemberActions({ visit, member }: { readonly visit: AppVisit; readonly member: TeamMember }) {
  const { team } = visit.texts
  const { person, role } = member
  const page = pageOf(visit)
  const isSelf = person.personId === visit.person.personId
  const disabled = mayManage(visit.role, role) ? undefined : team.notAllowed
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
      {visit.person.isOperator &&
        (person.isDisabled ? (
          <PostButton visit={visit} action={`${page}/enable`}>
            {team.enable}
          </PostButton>
        ) : (
          <AskButton href={`${page}/disable`}>{team.disable}</AskButton>
        ))}
      <AskButton href={`${page}/remove`} disabled={disabled}>
        {team.remove}
      </AskButton>
    </div>
  )
}

export async function askRole(visit: AppVisit, problem?: ApiError): Promise<PageAnswer> {
  const { texts, call } = visit
  const { team } = texts
  const { person, role, refundLimits } = await memberOf(visit)
  const wrong = errorsByField(problem)
  return drawScreen(visit, {
    name: 'team',
    title: team.changeTitle(person.name),
    crumbs: crumbs(visit),
    status: problem?.status ?? 200,
    flash: problem && wrong.size === 0 ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <Ask visit={visit} action={`${pageOf(visit)}/role`} button={team.changeRole} back={pageOf(visit)}>
        <RoleFields
          visit={visit}
          role={role}
          limits={call.form.get('refundLimits') ?? limitLines(refundLimits)}
          wrong={wrong}
        />
      </Ask>
    ),
  })
}

export const postRole = (visit: AppVisit): Promise<PageAnswer> =>
  orAgain(
    async () => {
      const { ctx, app, call } = visit
      const change = { licenseId: app.licenseId, personId: call.params.personId ?? '', ...readRole(visit) }
      await changeRole(ctx, managerOf(visit), change)
      return seeOther(`${pageOf(visit)}?note=changed`)
    },
    (problem) => askRole(visit, problem),
  )
