import { usePersonRequest } from '../screen.tsx'
import type { PersonRequest } from './request.ts'

/** The tabs of the dock, in order, with what a person needs for each. */
export const DOCK_TABS = ['logs', 'webhooks', 'events', 'timeline', 'api'] as const
export type DockTab = (typeof DOCK_TABS)[number]

/** The timeline is of a payment; the others are for developers. */
export const mayOpenTab = (
  { can }: Pick<PersonRequest, 'can'>,
  tab: DockTab,
  object: string | undefined,
): boolean =>
  tab === 'timeline' ? object?.startsWith('payment:') === true && can('PaymentRead') : can('DeveloperRead')

interface DockProps {
  /** `payment:10042`: what is on screen. */
  readonly object: string | undefined
}

/** One line at the bottom; script shows it and loads what its tabs hold. */
export function Dock({ object }: DockProps) {
  const request = usePersonRequest()
  const { app, texts } = request
  const { dock } = texts.tools
  const tabs = DOCK_TABS.filter((tab) => mayOpenTab(request, tab, object))
  if (!app || tabs.length === 0) return null
  return (
    <aside
      class="dock"
      aria-label={dock.title}
      data-dock={`/console/${app.appId}/dock`}
      data-failed={dock.failed}
      hidden
    >
      <div class="dock-bar">
        {tabs.map((tab) => (
          <button type="button" data-dock-tab={tab} aria-expanded="false" aria-controls="dock-body">
            {dock.tabs[tab]}
          </button>
        ))}
        <button type="button" class="dock-close" data-dock-close="yes">
          {dock.close}
        </button>
      </div>
      <div class="dock-body" id="dock-body" hidden />
    </aside>
  )
}
