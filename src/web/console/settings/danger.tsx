import { notFound } from '../../../base/errors.ts'
import type { Clear } from '../../../merchants/app-rows.ts'
import { clearApp } from '../../../merchants/apps/clear.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Ask, AskButton } from '../../kit/html/forms.tsx'
import { BlockCard } from './block.tsx'
import { renderTab, tabUrl } from './tabs.tsx'
import { useRequest } from '../../kit/screen.tsx'

export function showDanger(request: AppRequest): PageAnswer {
  return renderTab(request, {
    tab: 'danger',
    flash: flashOf(request),
    children: (
      <>
        <BlockCard />
        {request.app.isSandbox && <ClearCard />}
      </>
    ),
  })
}

function ClearCard() {
  const request = useRequest()
  const { base, texts } = request
  const { settings } = texts
  return (
    <Card title={settings.clear} class="form-card" id="clear">
      <div class="stack">
        <p>{settings.clearIntro}</p>
        {request.can('AppSettingWrite') && (
          <AskButton href={`${base}/settings/danger/clear`} kind="danger">
            {settings.clear}
          </AskButton>
        )}
      </div>
    </Card>
  )
}

function flashOf({ call, texts }: AppRequest) {
  const { note, count = '' } = call.query
  const shown = count.replace(/\D/g, '').slice(0, 9)
  if (note === 'cleared') return { kind: 'ok', text: texts.settings.cleared(shown) } as const
  if (note === 'blocked') return { kind: 'ok', text: texts.settings.blocked } as const
  if (note === 'unblocked') return { kind: 'ok', text: texts.settings.unblocked } as const
  if (note === 'part') return { kind: 'info', text: texts.settings.clearedPart(shown) } as const
  return undefined
}

export function askClear(request: AppRequest): PageAnswer {
  const { app, base, texts } = request
  const { settings } = texts
  if (!app.isSandbox) throw notFound('The page')
  return renderScreen(request, {
    name: 'settings',
    title: settings.clearTitle,
    crumbs: [{ label: settings.title, href: tabUrl(base, 'danger') }],
    children: (
      <Ask
        action={`${base}/settings/danger/clear`}
        button={settings.clear}
        kind="danger"
        back={tabUrl(base, 'danger')}
      >
        <p>{settings.clearBody(app.friendlyName)}</p>
        <p>{texts.frame.cannotUndo}</p>
      </Ask>
    ),
  })
}

export const createClear =
  (clearers: readonly Clear[]) =>
  async ({ ctx, app, base }: AppRequest): Promise<PageAnswer> => {
    const { removedCount, isCompleted } = await clearApp(ctx, app, clearers)
    const note = isCompleted ? 'cleared' : 'part'
    return seeOther(`${tabUrl(base, 'danger')}?note=${note}&count=${removedCount}`)
  }
