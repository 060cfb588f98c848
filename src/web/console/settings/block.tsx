import { blockApp, unblockApp } from '../../../merchants/apps/block.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { Ask, AskButton } from '../parts/forms.tsx'
import { tabUrl } from './tabs.tsx'

/** Blocking the app and ending that. */
export function BlockCard({ visit }: { readonly visit: AppVisit }) {
  const { app, base, texts } = visit
  const { settings } = texts
  const verb = app.isActive ? 'block' : 'unblock'
  return (
    <Card title={settings[verb]} class="form-card">
      <div class="stack">
        <p>{app.isActive ? settings.blockIntro : settings.unblockIntro}</p>
        {visit.can('AppSettingWrite') && (
          <AskButton href={`${base}/settings/danger/${verb}`} kind={verb === 'block' ? 'danger' : 'primary'}>
            {settings[verb]}
          </AskButton>
        )}
      </div>
    </Card>
  )
}

export function askBlock(visit: AppVisit, verb: 'block' | 'unblock'): PageAnswer {
  const { app, base, texts } = visit
  const { settings } = texts
  const isBlock = verb === 'block'
  return drawScreen(visit, {
    name: 'settings',
    title: isBlock ? settings.blockTitle(app.friendlyName) : settings.unblockTitle(app.friendlyName),
    crumbs: [{ label: settings.title, href: tabUrl(base, 'danger') }],
    children: (
      <Ask
        visit={visit}
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

export async function postBlock(visit: AppVisit, verb: 'block' | 'unblock'): Promise<PageAnswer> {
  const { ctx, app, base } = visit
  await (verb === 'block' ? blockApp(ctx, app) : unblockApp(ctx, app))
  return seeOther(`${tabUrl(base, 'danger')}?note=${verb}ed`)
}
