import type { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { leaveLicense } from '../../../people/licenses/visits.ts'
import { removeMember } from '../../../people/members/members.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { Ask } from '../parts/forms.tsx'
import { crumbs, PROFILE } from '../profile/page.tsx'
import { managerOf, orAgain } from './parts.tsx'

/** A member of any role leaves the team, an operator ends a visit. The command keeps the last owner. */
export function askLeave(visit: AppVisit, problem?: ApiError): PageAnswer {
  const { team } = visit.texts
  return drawScreen(visit, {
    name: 'profile',
    title: team.leaveTitle,
    crumbs: crumbs(visit),
    status: problem?.status ?? 200,
    flash: problem ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <Ask visit={visit} action={`${visit.base}/team/leave`} button={team.leave} kind="danger" back={PROFILE}>
        <p>
          <bdi>{visit.app.friendlyName}</bdi>
        </p>
        <p>{team.leaveBody}</p>
      </Ask>
    ),
  })
}

export const postLeave = (visit: AppVisit): Promise<PageAnswer> =>
  orAgain(
    async () => {
      const { ctx, app, person } = visit
      if (membershipOf(person, app.licenseId)?.endsTime)
        await leaveLicense(ctx, app.licenseId, person.personId)
      else await removeMember(ctx, managerOf(visit), app.licenseId, person.personId)
      return seeOther('/console')
    },
    (problem) => askLeave(visit, problem),
  )
