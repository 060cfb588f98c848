import { ApiError, notFound } from '../../../base/errors.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Button, Select } from '../../kit/html/controls.tsx'
import { ROLES, type Role } from '../../../people/access/roles.ts'
import { listMembers, type Manager } from '../../../people/members/members.ts'
import { mayManage } from '../../../people/members/rules.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import type { FormErrors } from '../parts/form-errors.ts'
import { TextArea } from '../parts/forms.tsx'
import { CopyText } from '../parts/text.tsx'

export type TeamMember = Awaited<ReturnType<typeof listMembers>>[number]

export const crumbs = ({ base, texts }: AppVisit) => [{ label: texts.team.title, href: `${base}/team` }]

export const managerOf = ({ role, person }: AppVisit): Manager => ({ role, personId: person.personId })

export async function memberOf({ ctx, app, call }: AppVisit): Promise<TeamMember> {
  const members = await listMembers(ctx, app.licenseId)
  const member = members.find(({ person }) => person.personId === call.params.personId)
  if (!member) throw notFound('The member')
  return member
}

/** Runs the work of a form; a refusal shows the page again. */
export async function orAgain(
  work: () => Promise<PageAnswer>,
  again: (problem: ApiError) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return again(error)
    throw error
  }
}

interface AddressProps {
  readonly visit: AppVisit
  readonly person: TeamMember['person']
}

/** The address of a member, with a mark while it is not verified. */
export const Address = ({ visit, person }: AddressProps) => (
  <>
    <bdi>{person.email}</bdi>
    {!person.isVerified && <span class="pill amber not-verified">{visit.texts.team.notVerified}</span>}
  </>
)

interface RoleFieldsProps {
  readonly visit: AppVisit
  readonly role: Role
  readonly limits: string
  readonly wrong: FormErrors
}

/** The role, of those that the person may give, and the limits of a Support member. */
export function RoleFields({ visit, role, limits, wrong }: RoleFieldsProps) {
  const { team } = visit.texts
  const { error } = wrong.at('refundLimits')
  return (
    <>
      <Select
        id="role"
        name="role"
        label={team.role}
        value={role}
        options={ROLES.filter((one) => mayManage(visit.role, one)).map((one) => ({ value: one, label: one }))}
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
export function drawLink(visit: AppVisit, { url, body }: LinkPage): PageAnswer {
  const { texts, base } = visit
  return drawScreen(visit, {
    name: 'team',
    title: texts.team.linkTitle,
    crumbs: crumbs(visit),
    children: (
      <section class="card form-card">
        <p>{body}</p>
        <p class="one-time-link">
          <CopyText visit={visit} text={url} label={texts.team.link} />
        </p>
        <form method="get" action={`${base}/team`}>
          <Button>{texts.team.linkStored}</Button>
        </form>
      </section>
    ),
  })
}
