import type { App } from '../../../merchants/app.ts'
import type { NoticeKind, NoticeReader } from '../../../notices/notices.ts'
import { Icon } from '../html/icons.tsx'
import { usePersonRequest } from '../screen.tsx'
import { countText } from './rail.tsx'
import type { PersonRequest } from './request.ts'

/** The page that each kind of notice leads to. Who may open the page sees the notice. */
const PAGES: Readonly<Record<NoticeKind, string>> = {
  'endpoint-failing': '/developers/webhooks',
  'provider-degraded': '/providers/{profileId}',
  'authorisations-ending': '/payments',
  settlements: '/payouts/exceptions',
  dispute: '/disputes/{disputeId}',
  'refund-waiting': '/approvals',
  'export-ready': '/exports',
}

/** What the person sees of the app's notices. */
export const noticeReader = ({ person, mayUse }: PersonRequest, { appId }: App): NoticeReader => ({
  appId,
  personId: person.personId,
  kinds: (Object.keys(PAGES) as NoticeKind[]).filter((kind) => mayUse('GET', PAGES[kind])),
})

/** The way to the notices, with the number of unread ones. */
export function Bell() {
  const { app, texts, badges, mayUse } = usePersonRequest()
  if (!app || !mayUse('GET', '/notices')) return null
  const count = badges.notices ?? 0
  return (
    <nav aria-label={texts.notices.title}>
      <a class="bell" href={`/console/${app.appId}/notices`} aria-label={texts.notices.bell({ count })}>
        <Icon name="bell" />
        {count > 0 && <span class="rail-badge">{countText(count)}</span>}
      </a>
    </nav>
  )
}
