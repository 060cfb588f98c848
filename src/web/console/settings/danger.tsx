import { notFound } from '../../../base/errors.ts'
import type { Clear } from '../../../merchants/app-rows.ts'
import { blockApp, unblockApp } from '../../../merchants/apps/block.ts'
import { clearApp } from '../../../merchants/apps/clear.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { question } from '../../kit/question.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderTab } from './tabs.tsx'

export function showDanger(request: AppRequest): PageAnswer {
  const { app, call, texts } = request
  const { settings } = texts
  const count = (call.query.count ?? '').replace(/\D/g, '').slice(0, 9)
  const verb = app.isActive ? 'block' : 'unblock'
  return renderTab(request, {
    tab: 'danger',
    flash: call.query.note === 'part' ? { kind: 'info', text: settings.clearedPart({ count }) } : undefined,
    children: (
      <>
        <ActionCard verb={verb} kind={app.isActive ? 'danger' : 'primary'}>
          {app.isActive ? settings.blockIntro : settings.unblockIntro}
        </ActionCard>
        {app.isSandbox && (
          <ActionCard verb="clear" kind="danger" id="clear">
            {settings.clearIntro}
          </ActionCard>
        )}
      </>
    ),
  })
}

interface ActionCardProps {
  readonly verb: 'block' | 'unblock' | 'clear'
  readonly kind: 'danger' | 'primary'
  readonly id?: string
  readonly children: string
}

function ActionCard({ verb, kind, id, children }: ActionCardProps) {
  const { base, can, texts } = useRequest()
  return (
    <Card title={texts.settings[verb]} class="form-card" {...(id && { id })}>
      <div class="stack">
        <p>{children}</p>
        {can('AppSettingWrite') && (
          <QuestionButton href={`${base}/settings/danger/${verb}`} kind={kind}>
            {texts.settings[verb]}
          </QuestionButton>
        )}
      </div>
    </Card>
  )
}

const Effects = ({ of }: { readonly of: Readonly<Record<string, string>> }) => (
  <ul class="effects">
    {Object.values(of).map((effect) => (
      <li>{effect}</li>
    ))}
  </ul>
)

const nameOf = ({ app }: AppRequest): string => app.friendlyName

export const dangerRoutes = (clearers: readonly Clear[]): ScreenRoute[] => [
  ...question('/settings/danger/block', proof('AppSettingWrite'), {
    kind: 'danger',
    subject: nameOf,
    texts: ({ settings }, name) => ({ title: settings.blockTitle({ name }), button: settings.block }),
    fields: ({ texts }) => <Effects of={texts.settings.blockEffects} />,
    run: async ({ ctx, app }) => {
      await blockApp(ctx, app)
      return 'blocked'
    },
  }),
  ...question('/settings/danger/unblock', proof('AppSettingWrite'), {
    subject: nameOf,
    texts: ({ settings }, name) => ({ title: settings.unblockTitle({ name }), button: settings.unblock }),
    fields: ({ texts }) => <Effects of={texts.settings.unblockEffects} />,
    run: async ({ ctx, app }) => {
      await unblockApp(ctx, app)
      return 'unblocked'
    },
  }),
  ...question('/settings/danger/clear', 'AppSettingWrite', {
    kind: 'danger',
    subject: (request) => {
      if (!request.app.isSandbox && !request.call.isPost) throw notFound('The page')
      return nameOf(request)
    },
    texts: ({ settings, frame }, name) => ({
      title: settings.clearTitle,
      body: [settings.clearBody({ name }), frame.cannotUndo],
      button: settings.clear,
    }),
    run: async ({ ctx, app }) => {
      const { removedCount, isCompleted } = await clearApp(ctx, app, clearers)
      return `${isCompleted ? 'cleared' : 'part'}&count=${removedCount}`
    },
  }),
]
