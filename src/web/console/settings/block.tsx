import { blockApp, unblockApp } from '../../../merchants/apps/block.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Ask, AskButton } from '../../kit/html/forms.tsx'
import { tabUrl } from './tabs.tsx'
import { useRequest } from '../../kit/screen.tsx'

/** Blocking the app and ending that. */
export function BlockCard() {
  const request = useRequest()
  const { app, base, texts } = request
  const { settings } = texts
  const verb = app.isActive ? 'block' : 'unblock'
  return (
    <Card title={settings[verb]} class="form-card">
      <div class="stack">
        <p>{app.isActive ? settings.blockIntro : settings.unblockIntro}</p>
        {request.can('AppSettingWrite') && (
          <AskButton href={`${base}/settings/danger/${verb}`} kind={verb === 'block' ? 'danger' : 'primary'}>
            {settings[verb]}
          </AskButton>
        )}
      </div>
    </Card>
  )
}

export function askBlock(request: AppRequest, verb: 'block' | 'unblock'): PageAnswer {
  const { app, base, texts } = request
  const { settings } = texts
  const isBlock = verb === 'block'
  return renderScreen(request, {
    name: 'settings',
    title: isBlock ? settings.blockTitle(app.friendlyName) : settings.unblockTitle(app.friendlyName),
    crumbs: [{ label: settings.title, href: tabUrl(base, 'danger') }],
    children: (
      <Ask
        action={`${base}/settings/danger/${verb}`}
        button={settings[verb]}
        kind={isBlock ? 'danger' : 'primary'}
        back={tabUrl(base, 'danger')}
      >
        <ul class="effects">
          {Object.values(isBlock ? settings.blockEffects : settings.unblockEffects).map((effect) => (
            <li>{effect}</li>
          ))}
        </ul>
      </Ask>
    ),
  })
}

export async function postBlock(request: AppRequest, verb: 'block' | 'unblock'): Promise<PageAnswer> {
  const { ctx, app, base } = request
  await (verb === 'block' ? blockApp(ctx, app) : unblockApp(ctx, app))
  return seeOther(`${tabUrl(base, 'danger')}?note=${verb}ed`)
}
