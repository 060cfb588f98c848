import { listGrants, withdrawGrant } from '../../../merchants/licenses/grants.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import { proof } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'

type LicenseGrants = Awaited<ReturnType<typeof listGrants>>

/** Shops that have a code of the licence, for those who may connect them. */
export const shopsOf = async ({ ctx, app, can }: AppRequest): Promise<LicenseGrants> =>
  can('LicenseManagement') ? listGrants(ctx, app.licenseId) : []

export function Shops({ shops }: { readonly shops: LicenseGrants }) {
  const { base, texts } = useRequest()
  const { team, frame } = texts
  return (
    <>
      <h2>{team.shops}</h2>
      <List
        caption={team.shops}
        items={shops}
        columns={[
          { label: team.shop, cell: ({ host }) => <bdi>{host}</bdi> },
          { label: team.grantedBy, cell: ({ grantedBy }) => <bdi>{grantedBy}</bdi> },
          { label: team.granted, isTime: true, cell: ({ createdTime }) => <Time time={createdTime} /> },
          {
            label: frame.more,
            isQuiet: true,
            cell: ({ host }) => (
              <QuestionButton href={`${base}/team/shops/${encodeURIComponent(host)}/disconnect`}>
                {team.disconnect}
              </QuestionButton>
            ),
          },
        ]}
      />
    </>
  )
}

export const disconnectRoutes = question('/team/shops/{host}/disconnect', proof('LicenseManagement'), {
  kind: 'danger',
  back: '/team',
  subject: ({ call }) => call.params.host ?? '',
  texts: ({ team }, host) => ({
    title: team.disconnectTitle({ host }),
    body: team.disconnectBody,
    button: team.disconnect,
  }),
  run: async ({ ctx, app }, host) => {
    await withdrawGrant(ctx, app.licenseId, host)
    return 'disconnected'
  },
})
