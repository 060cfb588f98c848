import { listGrants, withdrawGrant } from '../../../merchants/licenses/grants.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Ask, AskButton } from '../../kit/html/forms.tsx'
import { Table } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { crumbs } from './parts.tsx'
import { useRequest } from '../../kit/screen.tsx'

type LicenseGrants = Awaited<ReturnType<typeof listGrants>>

/** Shops that have a code of the licence, for those who may connect them. */
export const shopsOf = async ({ ctx, app, can }: AppRequest): Promise<LicenseGrants> =>
  can('LicenseManagement') ? listGrants(ctx, app.licenseId) : []

const pageOf = ({ base }: AppRequest, host: string): string =>
  `${base}/team/shops/${encodeURIComponent(host)}/disconnect`

interface ShopsProps {
  readonly shops: LicenseGrants
}

export function Shops({ shops }: ShopsProps) {
  const request = useRequest()
  const { team, frame } = request.texts
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
            <Time time={createdTime} />,
            <AskButton href={pageOf(request, host)}>{team.disconnect}</AskButton>,
          ],
        }))}
      />
    </>
  )
}

export function askDisconnect(request: AppRequest): PageAnswer {
  const { texts, base, call } = request
  const { team } = texts
  const host = call.params.host ?? ''
  return renderScreen(request, {
    name: 'team',
    title: team.disconnectTitle(host),
    crumbs: crumbs(request),
    children: (
      <Ask action={pageOf(request, host)} button={team.disconnect} kind="danger" back={`${base}/team`}>
        <p>{team.disconnectBody}</p>
      </Ask>
    ),
  })
}

export async function postDisconnect({ ctx, app, call, base }: AppRequest): Promise<PageAnswer> {
  await withdrawGrant(ctx, app.licenseId, call.params.host ?? '')
  return seeOther(`${base}/team?note=disconnected`)
}
