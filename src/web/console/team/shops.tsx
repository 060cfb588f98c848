import { listGrants, withdrawGrant } from '../../../merchants/licenses/grants.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { Ask, AskButton } from '../parts/forms.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { crumbs } from './parts.tsx'

type LicenseGrants = Awaited<ReturnType<typeof listGrants>>

/** Shops that have a code of the licence, for those who may connect them. */
export const shopsOf = async ({ ctx, app, can }: AppVisit): Promise<LicenseGrants> =>
  can('LicenseManagement') ? listGrants(ctx, app.licenseId) : []

const pageOf = ({ base }: AppVisit, host: string): string =>
  `${base}/team/shops/${encodeURIComponent(host)}/disconnect`

interface ShopsProps {
  readonly visit: AppVisit
  readonly shops: LicenseGrants
}

export function Shops({ visit, shops }: ShopsProps) {
  const { team, frame } = visit.texts
  return (
    <>
      <h2>{team.shops}</h2>
      <Table
        caption={team.shops}
        columns={[
          { label: team.shop },
          { label: team.grantedBy },
          { label: team.granted },
          { label: frame.more, isQuiet: true },
        ]}
        rows={shops.map(({ host, grantedBy, createdTime }) => ({
          cells: [
            <bdi>{host}</bdi>,
            <bdi>{grantedBy}</bdi>,
            <Time visit={visit} time={createdTime} />,
            <AskButton href={pageOf(visit, host)}>{team.disconnect}</AskButton>,
          ],
        }))}
      />
    </>
  )
}

export function askDisconnect(visit: AppVisit): PageAnswer {
  const { texts, base, call } = visit
  const { team } = texts
  const host = call.params.host ?? ''
  return drawScreen(visit, {
    name: 'team',
    title: team.disconnectTitle(host),
    crumbs: crumbs(visit),
    children: (
      <Ask
        visit={visit}
        action={pageOf(visit, host)}
        button={team.disconnect}
        kind="danger"
        back={`${base}/team`}
      >
        <p>{team.disconnectBody}</p>
      </Ask>
    ),
  })
}

export async function postDisconnect({ ctx, app, call, base }: AppVisit): Promise<PageAnswer> {
  await withdrawGrant(ctx, app.licenseId, call.params.host ?? '')
  return seeOther(`${base}/team?note=disconnected`)
}
