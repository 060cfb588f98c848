import type { ApiError } from '../../../base/errors.ts'
import { readId } from '../../../http/wire.ts'
import { profileNamed, setSource } from '../../../settlements/commands.ts'
import { readNow, sourceList } from '../../../settlements/pages.ts'
import { providerName, shortName } from '../../kit/format/names.ts'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { PostButton } from '../../kit/html/forms.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderTab } from './tabs.tsx'

/** Where settlements come from, by profile. */

type Source = Awaited<ReturnType<typeof sourceList>>[number]

const SANDBOX_GUIDE = '/docs/guides/settlements-sandbox'

export const showSources = (request: AppRequest): Promise<PageAnswer> => render(request)

async function render(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, texts } = request
  const { sources } = texts.payouts
  const items = await sourceList(ctx, app)
  return renderTab(request, {
    tab: 'sources',
    problem,
    children: (
      <>
        <p class="muted">{sources.intro}</p>
        {app.isSandbox && (
          <Notice kind="info" title={sources.sandbox}>
            <a href={SANDBOX_GUIDE}>{sources.sandboxGuide}</a>
          </Notice>
        )}
        <SourceTable items={items} />
      </>
    ),
  })
}

function SourceTable({ items }: { readonly items: readonly Source[] }) {
  const request = useRequest()
  const { base, texts, can } = request
  const { sources, provider } = texts.payouts
  return (
    <List
      isStacked
      id="sources-table"
      caption={texts.payouts.tabs.sources}
      items={items}
      columns={[
        {
          label: provider,
          cell: ({ profile }) => (
            <>
              <a href={`${base}/providers/${profile.profileId}`}>
                <bdi>{shortName(profile)}</bdi>
              </a>{' '}
              <span class="muted small">{providerName(request, profile.provider)}</span>
            </>
          ),
        },
        { label: sources.state, cell: (one) => <State source={one} /> },
        {
          label: sources.last,
          cell: ({ source }) => <Moment time={source?.lastReadTime} none={sources.never} />,
        },
        { label: sources.until, cell: ({ source }) => <Moment time={source?.readUntil} none="–" /> },
        { label: sources.begin, cell: ({ source }) => <Moment time={source?.beginTime} none="–" /> },
        can('SettlementWrite') && { label: sources.action, cell: (one) => <Buttons source={one} /> },
      ]}
      empty={{ title: sources.none, body: sources.noneBody }}
    />
  )
}

const Moment = ({ time, none }: { readonly time: Date | null | undefined; readonly none: string }) =>
  time ? <Time time={time} /> : <span class="muted">{none}</span>

interface SourceProps {
  readonly source: Source
}

/** On, off or failing; a provider whose API cannot be read has files only. */
function State({ source: { source, canRead } }: SourceProps) {
  const { sources } = useRequest().texts.payouts
  const problem = source?.isActive ? source.problem : null
  if (!canRead) return <span class="pill">{sources.files}</span>
  if (!source?.isActive) return <span class="pill">{sources.off}</span>
  if (!problem) return <span class="pill green">{sources.on}</span>
  const text = shortText(problem.message ?? problem.code, DESCRIPTION_SHOWN) ?? ''
  return (
    <>
      <span class="pill amber">{sources.failing}</span>
      <bdi class="exception-text small">{sources.problem({ problem: text })}</bdi>
    </>
  )
}

function Buttons({ source: { source, canRead, profile } }: SourceProps) {
  const { base, texts } = useRequest()
  const { sources, reports } = texts.payouts
  const name = shortName(profile)
  const path = `${base}/payouts/sources/${profile.profileId}`
  return (
    <div class="exception-buttons">
      {canRead && source?.isActive && (
        <PostButton action={`${path}/read`} label={sources.readNowOf({ name })}>
          {sources.readNow}
        </PostButton>
      )}
      {canRead &&
        (source?.isActive ? (
          <PostButton action={`${path}/off`} label={sources.turnOffOf({ name })}>
            {sources.turnOff}
          </PostButton>
        ) : (
          <PostButton action={`${path}/on`} kind="primary" label={sources.turnOnOf({ name })}>
            {sources.turnOn}
          </PostButton>
        ))}
      <a href={`${base}/payouts/reports?profile=${profile.profileId}`}>{reports.upload}</a>
    </div>
  )
}

type Change = (request: AppRequest, profile: Source['profile']) => Promise<unknown>

const changing =
  (change: Change, note: string) =>
  (request: AppRequest): Promise<PageAnswer> =>
    retryForm(
      async () => {
        const { app, base, call } = request
        await change(request, profileNamed(app, readId(call.params.profileId ?? '')))
        return seeOther(`${base}/payouts/sources?note=${note}`)
      },
      (problem) => render(request, problem),
    )

export const turnOn = changing(
  ({ ctx, app }, profile) => setSource(ctx, app, profile, { isActive: true }),
  'on',
)
export const turnOff = changing(
  ({ ctx, app }, profile) => setSource(ctx, app, profile, { isActive: false }),
  'off',
)
export const readSource = changing(({ ctx, app }, profile) => readNow(ctx, app, profile), 'reading')
