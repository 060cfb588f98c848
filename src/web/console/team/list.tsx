import type { ComponentChildren } from 'preact'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { PERMISSIONS, permissionsOf, ROLES } from '../../../people/access/roles.ts'
import { listInvitations } from '../../../people/members/invitations.ts'
import { listMembers } from '../../../people/members/members.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { drawScreen, type ScreenProps } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { AskButton, PostButton } from '../parts/forms.tsx'
import { Table } from '../parts/table.tsx'
import { Tabs } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { Address, type TeamMember } from './parts.tsx'
import { Shops, shopsOf } from './shops.tsx'

interface TabPage extends Pick<ScreenProps, 'flash' | 'actions' | 'status'> {
  readonly tab: 'people' | 'permissions'
  readonly children: ComponentChildren
}

function drawTab(visit: AppVisit, { tab, children, ...props }: TabPage): PageAnswer {
  const { texts, base } = visit
  const { team } = texts
  const tabs = [
    { label: team.tabs.people, href: `${base}/team`, isCurrent: tab === 'people' },
    { label: team.tabs.permissions, href: `${base}/team/permissions`, isCurrent: tab === 'permissions' },
  ]
  return drawScreen(visit, {
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

export async function showTeam(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const { team } = texts
  const [members, invitations, shops] = await Promise.all([
    listMembers(ctx, app.licenseId),
    listInvitations(ctx, app.licenseId),
    shopsOf(visit),
  ])
  const note = Object.hasOwn(team.notes, call.query.note ?? '')
    ? team.notes[call.query.note as keyof typeof team.notes]
    : undefined
  return drawTab(visit, {
    tab: 'people',
    flash: note ? { kind: 'ok', text: note } : undefined,
    actions: visit.can('RoleWrite') && (
      <AskButton href={`${base}/team/invite`} kind="primary">
        {team.invite}
      </AskButton>
    ),
    children: (
      <>
        <p class="muted">
          {team.intro} {visit.can('DeveloperRead') && <a href={`${base}/developers/keys`}>{team.keys}</a>}
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
            cells: memberCells(visit, member),
          }))}
        />
        {invitations.length > 0 && <Invitations visit={visit} invitations={invitations} />}
        {shops.length > 0 && <Shops visit={visit} shops={shops} />}
      </>
    ),
  })
}

function memberCells(visit: AppVisit, { person, role }: TeamMember) {
  const { team } = visit.texts
  return [
    <>
      <a href={`${visit.base}/team/members/${person.personId}`}>
        <bdi>{person.name}</bdi>
      </a>
      {person.personId === visit.person.personId && <span class="muted"> · {team.you}</span>}
      {person.isDisabled && <span class="muted"> · {team.disabled}</span>}
    </>,
    <Address visit={visit} person={person} />,
    role,
    person.hasTotp ? <span class="pill green">{team.on}</span> : <span class="muted">{team.off}</span>,
    person.lastSeenTime ? <Time visit={visit} time={person.lastSeenTime} /> : team.never,
  ]
}

interface InvitationsProps {
  readonly visit: AppVisit
  readonly invitations: Awaited<ReturnType<typeof listInvitations>>
}

function Invitations({ visit, invitations }: InvitationsProps) {
  const { texts, base } = visit
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
            <Time visit={visit} time={expiresTime} />,
            role && mayManage(visit.role, role) && (
              <PostButton
                visit={visit}
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
export function showPermissions(visit: AppVisit): PageAnswer {
  const { team } = visit.texts
  return drawTab(visit, {
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
                visit={visit}
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
  readonly visit: AppVisit
  readonly isGranted: boolean
  readonly isLimited: boolean
}

function Granted({ visit, isGranted, isLimited }: GrantedProps) {
  const { team } = visit.texts
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
