import { notFound } from '../../../base/errors.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { Button, Select } from '../../kit/html/controls.tsx'
import { ROLES, type Role } from '../../../people/access/roles.ts'
import { listMembers, type Manager } from '../../../people/members/members.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { FormErrors } from '../../kit/refusal.ts'
import { TextArea } from '../../kit/html/forms.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { useRequest } from '../../kit/screen.tsx'

export type TeamMember = Awaited<ReturnType<typeof listMembers>>[number]

export const crumbs = ({ base, texts }: AppRequest) => [{ label: texts.team.title, href: `${base}/team` }]

export const managerOf = ({ role, person }: AppRequest): Manager => ({ role, personId: person.personId })

export async function memberOf({ ctx, app, call }: AppRequest): Promise<TeamMember> {
  const members = await listMembers(ctx, app.licenseId)
  const member = members.find(({ person }) => person.personId === call.params.personId)
  if (!member) throw notFound('The member')
  return member
}

interface AddressProps {
  readonly person: TeamMember['person']
}

/** The address of a member, with a mark while it is not verified. */
export function Address({ person }: AddressProps) {
  const { team } = useRequest().texts
  return (
    <>
      <bdi>{person.email}</bdi>
      {!person.isVerified && <span class="pill amber not-verified">{team.notVerified}</span>}
    </>
  )
}

interface RoleFieldsProps {
  readonly role: Role
  readonly limits: string
  readonly wrong: FormErrors
}

/** The role, of those that the person may give, and the limits of a Support member. */
export function RoleFields({ role, limits, wrong }: RoleFieldsProps) {
  const request = useRequest()
  const { team } = request.texts
  const { error } = wrong.for('refundLimits')
  return (
    <>
      <Select
        id="role"
        name="role"
        label={team.role}
        value={role}
        options={ROLES.filter((one) => mayManage(request.role, one)).map((one) => ({
          value: one,
          label: one,
        }))}
      />
      <TextArea
        id="limits"
        name="refundLimits"
        label={team.limits}
        hint={team.limitsHint}
        value={limits}
        rows={2}
        maxLength={1_000}
        error={error}
      />
    </>
  )
}

interface LinkPage {
  readonly url: string
  readonly body: string
}

/** The only page that shows the link. */
export function renderLink(request: AppRequest, { url, body }: LinkPage): PageAnswer {
  const { texts, base } = request
  return renderScreen(request, {
    name: 'team',
    title: texts.team.linkTitle,
    crumbs: crumbs(request),
    children: (
      <section class="card form-card">
        <p>{body}</p>
        <p class="one-time-link">
          <CopyText text={url} label={texts.team.link} />
        </p>
        <form method="get" action={`${base}/team`}>
          <Button>{texts.team.linkStored}</Button>
        </form>
      </section>
    ),
  })
}
