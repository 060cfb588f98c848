import type { ComponentChildren } from 'preact'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { PERMISSIONS, permissionsOf, ROLES } from '../../../people/access/roles.ts'
import { listInvitations } from '../../../people/members/invitations.ts'
import { listMembers } from '../../../people/members/members.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { AskButton, PostButton } from '../../kit/html/forms.tsx'
import { Table } from '../../kit/list.tsx'
import { Tabs } from '../../kit/html/text.tsx'
import { Time } from '../../kit/format/time.tsx'
import { Address, type TeamMember } from './parts.tsx'
import { Shops, shopsOf } from './shops.tsx'
import { useRequest } from '../../kit/screen.tsx'

interface TabPage extends Pick<ScreenProps, 'actions'> {
  readonly tab: 'people' | 'permissions'
  readonly children: ComponentChildren
}

function renderTab(request: AppRequest, { tab, children, ...props }: TabPage): PageAnswer {
  const { texts, base } = request
  const { team } = texts
  const tabs = [
    { label: team.tabs.people, href: `${base}/team`, isCurrent: tab === 'people' },
    { label: team.tabs.permissions, href: `${base}/team/permissions`, isCurrent: tab === 'permissions' },
  ]
  return renderScreen(request, {
    name: 'team',
    title: team.title,
    ...props,
    children: (
      <>
        <Tabs tabs={tabs} label={team.title} />
        {children}
      </>
    ),
  })
}

export async function showTeam(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, texts, base } = request
  const { team } = texts
  const [members, invitations, shops] = await Promise.all([
    listMembers(ctx, app.licenseId),
    listInvitations(ctx, app.licenseId),
    shopsOf(request),
  ])
  return renderTab(request, {
    tab: 'people',
    actions: request.can('RoleWrite') && (
      <AskButton href={`${base}/team/invite`} kind="primary">
        {team.invite}
      </AskButton>
    ),
    children: (
      <>
        <p class="muted">
          {team.intro} {request.can('DeveloperRead') && <a href={`${base}/developers/keys`}>{team.keys}</a>}
        </p>
        <Table
          caption={team.tabs.people}
          columns={[
            { label: team.name },
            { label: team.email },
            { label: team.role },
            { label: team.second },
            { label: team.lastSeen },
          ]}
          rows={members.map((member) => ({
            href: `${base}/team/members/${member.person.personId}`,
            cells: memberCells(request, member),
          }))}
        />
        {invitations.length > 0 && <Invitations invitations={invitations} />}
        {shops.length > 0 && <Shops shops={shops} />}
      </>
    ),
  })
}

function memberCells(request: AppRequest, { person, role }: TeamMember) {
  const { team } = request.texts
  return [
    <>
      <a href={`${request.base}/team/members/${person.personId}`}>
        <bdi>{person.name}</bdi>
      </a>
      {person.personId === request.person.personId && <span class="muted"> · {team.you}</span>}
      {person.isDisabled && <span class="muted"> · {team.disabled}</span>}
    </>,
    <Address person={person} />,
    role,
    person.hasTotp ? <span class="pill green">{team.on}</span> : <span class="muted">{team.off}</span>,
    person.lastSeenTime ? <Time time={person.lastSeenTime} /> : team.never,
  ]
}

interface InvitationsProps {
  readonly invitations: Awaited<ReturnType<typeof listInvitations>>
}

function Invitations({ invitations }: InvitationsProps) {
  const request = useRequest()
  const { texts, base } = request
  const { team } = texts
  return (
    <>
      <h2>{team.invitations}</h2>
      <Table
        caption={team.invitations}
        columns={[
          { label: team.email },
          { label: team.role },
          { label: team.invitedBy },
          { label: team.expires },
          { label: texts.frame.more, isQuiet: true },
        ]}
        rows={invitations.map(({ linkId, email, role, createdBy, expiresTime }) => ({
          cells: [
            <bdi>{email}</bdi>,
            role,
            <bdi>{createdBy}</bdi>,
            <Time time={expiresTime} />,
            role && mayManage(request.role, role) && (
              <PostButton
                action={`${base}/team/invitations/${linkId}/withdraw`}
                label={team.withdrawLabel(email)}
              >
                {team.withdraw}
              </PostButton>
            ),
          ],
        }))}
      />
    </>
  )
}

/** Read from the table that the guards use. */
export function showPermissions(request: AppRequest): PageAnswer {
  const { team } = request.texts
  return renderTab(request, {
    tab: 'permissions',
    children: (
      <Table
        id="permissions"
        caption={team.matrix}
        columns={[{ label: team.permission }, ...ROLES.map((role) => ({ label: role }))]}
        rows={PERMISSIONS.map((permission) => ({
          cells: [
            team.permissions[permission],
            ...ROLES.map((role) => (
              <Granted
                isGranted={permissionsOf(role).has(permission)}
                isLimited={role === 'Support' && permission === 'PaymentRefund'}
              />
            )),
          ],
        }))}
      />
    ),
  })
}

interface GrantedProps {
  readonly isGranted: boolean
  readonly isLimited: boolean
}

function Granted({ isGranted, isLimited }: GrantedProps) {
  const request = useRequest()
  const { team } = request.texts
  if (!isGranted)
    return (
      <span class="muted">
        <span aria-hidden="true">–</span>
        <span class="visually-hidden">{team.no}</span>
      </span>
    )
  return (
    <span>
      <span aria-hidden="true">✓</span>
      <span class="visually-hidden">{team.yes}</span>
      {isLimited && <span class="small muted"> {team.limited}</span>}
    </span>
  )
}
