import { notFound } from '../../../base/errors.ts'
import { listMembers, type Manager } from '../../../people/members/members.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderSecret } from '../../kit/secret-page.tsx'

export type TeamMember = Awaited<ReturnType<typeof listMembers>>[number]

/** The path of a member's page. */
export const MEMBER = '/team/members/{personId}'

export const pageOf = ({ base, call }: AppRequest): string => `${base}/team/members/${call.params.personId}`

export const crumbs = ({ base, texts }: AppRequest) => [{ label: texts.team.title, href: `${base}/team` }]

export const managerOf = ({ role, person }: AppRequest): Manager => ({ role, personId: person.personId })

export async function memberOf({ ctx, app, call }: AppRequest): Promise<TeamMember> {
  const members = await listMembers(ctx, app.licenseId)
  const member = members.find(({ person }) => person.personId === call.params.personId)
  if (!member) throw notFound('The member')
  return member
}

export const isSelf = (request: AppRequest, { person }: TeamMember): boolean =>
  person.personId === request.person.personId

/** The address of a member, with a mark while it is not verified. */
export function Address({ person }: { readonly person: TeamMember['person'] }) {
  const { team } = useRequest().texts
  return (
    <>
      <bdi>{person.email}</bdi>
      {!person.isVerified && <span class="pill amber not-verified">{team.notVerified}</span>}
    </>
  )
}

/** The only page that shows the link. */
export const renderLink = (request: AppRequest, url: string, body: string): PageAnswer => {
  const { team } = request.texts
  return renderSecret(request, {
    name: 'team',
    title: team.linkTitle,
    crumbs: crumbs(request),
    intro: <p>{body}</p>,
    secret: url,
    label: team.link,
    button: team.linkStored,
    next: `${request.base}/team`,
  })
}
