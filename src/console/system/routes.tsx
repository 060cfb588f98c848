import { notFound } from '../../base/errors.ts'
import type { Route } from '../../http/route.ts'
import { queueReader, systemState } from '../../insights/system.ts'
import type { Job } from '../../jobs/loop.ts'
import { licensePage } from '../../merchants/licenses/commands.ts'
import type { PageAnswer } from '../../pages/page-route.tsx'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'
import { DatabaseCard, InstallationCard, SettingsCard, WebhooksCard } from './cards.tsx'
import { readDisk } from './disk.ts'
import { Licenses, Queues, Tables, Troubles } from './lists.tsx'

/** What the page shows of the process beside its database. */
export interface SystemTools {
  readonly jobs: readonly Job[]
  readonly version: string
  /** Of the settings, as they are logged at the start. */
  readonly warnings: readonly string[]
}

/** For operators; others get the answer of a page that does not exist. */
export function systemScreens({ person }: Screens, tools: SystemTools): Route[] {
  const readQueues = queueReader(tools.jobs)
  return [
    person('GET', '/system', async (visit: Visit): Promise<PageAnswer> => {
      if (!visit.person.isOperator) throw notFound('The page')
      const { ctx, call, texts } = visit
      const [state, disk, licenses] = await Promise.all([
        systemState(ctx, readQueues),
        readDisk(ctx.config.dataDir),
        licensePage(ctx, (call.query.cursor ?? '').slice(0, 100)),
      ])
      const props = { visit, state }
      return drawScreen(visit, {
        name: 'system',
        title: texts.system.title,
        children: (
          <>
            <p class="muted">{texts.system.intro}</p>
            <div class="columns">
              <InstallationCard {...props} version={tools.version} disk={disk} />
              <DatabaseCard {...props} />
              <div class="stack">
                <SettingsCard visit={visit} warnings={tools.warnings} />
                <WebhooksCard {...props} />
              </div>
            </div>
            <Queues {...props} />
            <Troubles {...props} />
            <Licenses visit={visit} licenses={licenses} />
            <Tables {...props} />
          </>
        ),
      })
    }),
  ]
}
