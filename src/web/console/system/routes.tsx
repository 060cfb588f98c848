import { readDisk } from '../../../db/embedded/disk.ts'
import { lastBackup } from '../../../going-live/going-live.ts'
import { queueReader, systemState } from '../../../insights/system.ts'
import type { Job } from '../../../jobs/loop.ts'
import { licensePage } from '../../../merchants/licenses/commands.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { QuestionButton } from '../../kit/html/forms.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { person, type ScreenRoute } from '../../kit/route.ts'
import { DatabaseCard, InstallationCard, SettingsCard, WebhooksCard } from './cards.tsx'
import { licenseQuestions } from './licenses.tsx'
import { Licenses, Queues, Tables, Troubles } from './lists.tsx'
import { MailCard, sendTestMail, TEST_MAIL } from './mail.tsx'

/** What the page shows of the process beside its database. */
export interface SystemTools {
  readonly jobs: readonly Job[]
  readonly version: string
  /** Warnings about the settings, as they are logged at the start. */
  readonly warnings: readonly string[]
}

/** For operators; others get the answer of a page that does not exist. */
export function systemScreens(tools: SystemTools): ScreenRoute[] {
  const readQueues = queueReader(tools.jobs)
  return [
    ...licenseQuestions,
    person('POST', TEST_MAIL, sendTestMail, { operator: true }),
    person('GET', '/system', (request) => show(request, tools, readQueues), { operator: true }),
  ]
}

async function show(
  request: PersonRequest,
  { version, warnings }: SystemTools,
  readQueues: ReturnType<typeof queueReader>,
): Promise<PageAnswer> {
  const { ctx, call, texts } = request
  const [state, disk, licenses, backupTime] = await Promise.all([
    systemState(ctx, readQueues),
    readDisk(ctx.config.dataDir),
    licensePage(ctx, (call.query.cursor ?? '').slice(0, 100)),
    lastBackup(ctx),
  ])
  return renderScreen(request, {
    name: 'system',
    title: texts.system.title,
    actions: (
      <QuestionButton href="/console/system/licenses/new" kind="primary">
        {texts.system.newLicense}
      </QuestionButton>
    ),
    children: (
      <>
        <p class="muted">{texts.system.intro}</p>
        <div class="columns">
          <InstallationCard state={state} version={version} disk={disk} backupTime={backupTime} />
          <DatabaseCard state={state} />
          <div class="stack">
            <SettingsCard warnings={warnings} />
            <MailCard />
            <WebhooksCard state={state} />
          </div>
        </div>
        <Queues state={state} />
        <Troubles state={state} />
        <Licenses licenses={licenses} />
        <Tables state={state} />
      </>
    ),
  })
}
