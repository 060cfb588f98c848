import { PERMISSIONS, type Permission, permissionsOf, ROLES } from '../../../people/access/roles.ts'
import { listInvitations } from '../../../people/members/invitations.ts'
import { listMembers } from '../../../people/members/members.ts'
import { listOwnRoles } from '../../../people/members/own-roles.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { roleName } from '../../../people/signed-in.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import { PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { List } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { OwnRoles } from './own-roles.tsx'
import { Address, isSelf, type TeamMember } from './parts.tsx'
import { Shops, shopsOf } from './shops.tsx'

function renderTab(
  request: AppRequest,
  tab: 'people' | 'permissions',
  props: Pick<ScreenProps, 'actions' | 'children'>,
): PageAnswer {
  const { texts, base } = request
  const { team } = texts
  const tabs = [
    { label: team.tabs.people, href: `${base}/team`, isCurrent: tab === 'people' },
    { label: team.tabs.permissions, href: `${base}/team/permissions`, isCurrent: tab === 'permissions' },
  ]
  return renderScreen(request, { name: 'team', title: team.title, tabs, ...props })
}

export async function showTeam(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, texts, base } = request
  const { team } = texts
  const [members, invitations, shops] = await Promise.all([
    listMembers(ctx, app.licenseId),
    listInvitations(ctx, app.licenseId),
    shopsOf(request),
  ])
  return renderTab(request, 'people', {
    actions: request.can('RoleWrite') && (
      <QuestionButton href={`${base}/team/invite`} kind="primary">
        {team.invite}
      </QuestionButton>
    ),
    children: (
      <>
        <p class="muted">
          {team.intro} {request.can('DeveloperRead') && <a href={`${base}/developers/keys`}>{team.keys}</a>}
        </p>
        <Members members={members} />
        {invitations.length > 0 && <Invitations invitations={invitations} />}
        {shops.length > 0 && <Shops shops={shops} />}
      </>
    ),
  })
}

function Members({ members }: { readonly members: readonly TeamMember[] }) {
  const request = useRequest()
  const { team } = request.texts
  const href = ({ person }: TeamMember) => `${request.base}/team/members/${person.personId}`
  return (
    <List
      caption={team.tabs.people}
      items={members}
      href={href}
      columns={[
        {
          label: team.name,
          cell: (member) => (
            <>
              <a href={href(member)}>
                <bdi>{member.person.name}</bdi>
              </a>
              {isSelf(request, member) && <span class="muted"> · {team.you}</span>}
              {member.person.isDisabled && <span class="muted"> · {team.disabled}</span>}
            </>
          ),
        },
        { label: team.email, cell: ({ person }) => <Address person={person} /> },
        { label: team.role, cell: (member) => <bdi>{roleName(member)}</bdi> },
        {
          label: team.second,
          cell: ({ person }) =>
            person.hasTotp ? (
              <span class="pill green">{team.on}</span>
            ) : (
              <span class="muted">{team.off}</span>
            ),
        },
        {
          label: team.lastSeen,
          isTime: true,
          cell: ({ person }) => (person.lastSeenTime ? <Time time={person.lastSeenTime} /> : team.never),
        },
      ]}
    />
  )
}

type Invitation = Awaited<ReturnType<typeof listInvitations>>[number]

function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const { texts, base, role: own } = useRequest()
  const { team, frame } = texts
  return (
    <>
      <h2>{team.invitations}</h2>
      <List
        caption={team.invitations}
        items={invitations}
        columns={[
          { label: team.email, cell: ({ email }) => <bdi>{email}</bdi> },
          { label: team.role, cell: ({ role, ownRoleName }) => <bdi>{ownRoleName ?? role}</bdi> },
          { label: team.invitedBy, cell: ({ createdBy }) => <bdi>{createdBy}</bdi> },
          { label: team.expires, isTime: true, cell: ({ expiresTime }) => <Time time={expiresTime} /> },
          {
            label: frame.more,
            isQuiet: true,
            cell: ({ linkId, email, role }) =>
              role &&
              mayManage(own, role) && (
                <PostButton
                  action={`${base}/team/invitations/${linkId}/withdraw`}
                  label={team.withdrawLabel({ email })}
                >
                  {team.withdraw}
                </PostButton>
              ),
          },
        ]}
      />
    </>
  )
}

/** Read from the table that the guards use. */
export async function showPermissions(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base } = request
  const { team } = request.texts
  const ownRoles = await listOwnRoles(ctx, app.licenseId)
  return renderTab(request, 'permissions', {
    actions: request.can('RoleWrite') && (
      <QuestionButton href={`${base}/team/roles/new`}>{team.newRole}</QuestionButton>
    ),
    children: (
      <>
        <List
          id="permissions"
          caption={team.matrix}
          items={PERMISSIONS}
          columns={[
            { label: team.permission, cell: (permission) => team.permissions[permission] },
            ...ROLES.map((role) => ({
              label: role,
              cell: (permission: Permission) => (
                <Granted
                  isGranted={permissionsOf(role).has(permission)}
                  isLimited={role === 'Support' && permission === 'PaymentRefund'}
                />
              ),
            })),
          ]}
        />
        <OwnRoles roles={ownRoles} />
      </>
    ),
  })
}

function Granted({ isGranted, isLimited }: { readonly isGranted: boolean; readonly isLimited: boolean }) {
  const { team } = useRequest().texts
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
