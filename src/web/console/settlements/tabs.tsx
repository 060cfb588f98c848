import type { ComponentChildren } from 'preact'
import { openCounts } from '../../../settlements/pages.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'

const TABS = [
  ['payouts', ''],
  ['exceptions', '/exceptions'],
  ['reports', '/reports'],
  ['sources', '/sources'],
] as const

interface TabPage extends Partial<ScreenProps> {
  readonly tab: (typeof TABS)[number][0]
  readonly children: ComponentChildren
}

/** A page of the screen, below its tabs. The tab of exceptions has their number. */
export async function renderTab(request: AppRequest, { tab, ...props }: TabPage): Promise<PageAnswer> {
  const { payouts } = request.texts
  const open = (await openCounts(request.ctx, request.app)).reduce((sum, { count }) => sum + count, 0)
  const tabs = TABS.map(([name, path]) => ({
    label:
      name === 'exceptions' && open > 0 ? (
        <>
          {payouts.tabs[name]} <span class="rail-badge">{open < 1_000 ? open : '999+'}</span>
        </>
      ) : (
        payouts.tabs[name]
      ),
    href: `${request.base}/payouts${path}`,
    isCurrent: name === tab,
  }))
  return renderScreen(request, { title: payouts.title, tabs, ...props, name: 'payouts' })
}

/** A page below one of the tabs. */
export const renderBelow = (
  request: AppRequest,
  props: Omit<ScreenProps, 'name' | 'crumbs'>,
  ...tabs: readonly Exclude<TabPage['tab'], 'payouts'>[]
): PageAnswer => {
  const { texts, base } = request
  const crumbs = [
    { label: texts.payouts.title, href: `${base}/payouts` },
    ...tabs.map((tab) => ({ label: texts.payouts.tabs[tab], href: `${base}/payouts/${tab}` })),
  ]
  return renderScreen(request, { ...props, crumbs, name: 'payouts' })
}
