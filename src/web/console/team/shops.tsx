import { listGrants, withdrawGrant } from '../../../merchants/licenses/grants.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { AskButton } from '../../kit/html/forms.tsx'
import { Table } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { question } from '../../kit/question.tsx'
import { proof } from '../../kit/route.ts'
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

export const disconnectRoutes = question('/team/shops/{host}/disconnect', proof('LicenseManagement'), {
  kind: 'danger',
  back: '/team',
  subject: ({ call }) => call.params.host ?? '',
  texts: ({ team }) => ({ title: team.disconnectTitle, body: team.disconnectBody, button: team.disconnect }),
  run: async ({ ctx, app }, host) => {
    await withdrawGrant(ctx, app.licenseId, host)
    return 'disconnected'
  },
})
