import type { ComponentChildren } from 'preact'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'

const TABS = [
  ['keys', 'keys'],
  ['webhooks', 'webhooks'],
  ['events', 'events'],
  ['api-log', 'apiLog'],
  ['test-tools', 'tools'],
  ['e-mails', 'emails'],
  ['connect', 'connect'],
  ['quickstart', 'quickstart'],
] as const

type Tab = (typeof TABS)[number][0]

interface TabPage extends Partial<ScreenProps> {
  readonly tab: Tab
  readonly children: ComponentChildren
}

/** A page of the developers screen, below its tabs. */
export function renderTab(request: AppRequest, { tab, ...props }: TabPage): PageAnswer {
  const { texts, base, app } = request
  const { developers } = texts
  const tabs = TABS.filter(([name]) => app.isSandbox || (name !== 'test-tools' && name !== 'e-mails')).map(
    ([name, key]) => ({
      label: developers.tabs[key],
      href: `${base}/developers/${name}`,
      isCurrent: name === tab,
    }),
  )
  return renderScreen(request, { title: developers.title, tabs, ...props, name: 'developers' })
}
