import { readDisk } from '../../../db/embedded/disk.ts'
import { queueReader, systemState } from '../../../insights/system.ts'
import type { Job } from '../../../jobs/loop.ts'
import { licensePage } from '../../../merchants/licenses/commands.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { person, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { AskButton } from '../../kit/html/forms.tsx'
import { DatabaseCard, InstallationCard, SettingsCard, WebhooksCard } from './cards.tsx'
import {
  askEnter,
  askInviteOwner,
  askNewLicense,
  NEW_LICENSE,
  postEnter,
  postInviteOwner,
  postNewLicense,
} from './licenses.tsx'
import { Licenses, Queues, Tables, Troubles } from './lists.tsx'

/** What the page shows of the process beside its database. */
export interface SystemTools {
  readonly jobs: readonly Job[]
  readonly version: string
  /** Of the settings, as they are logged at the start. */
  readonly warnings: readonly string[]
}

/** For operators; others get the answer of a page that does not exist. */
export function systemScreens(tools: SystemTools): ScreenRoute[] {
  const readQueues = queueReader(tools.jobs)
  const license = '/system/licenses/{licenseId}'
  return [
    operator('GET', '/system/licenses/new', (request) => askNewLicense(request), PROOF),
    operator('POST', '/system/licenses/new', postNewLicense, PROOF),
    operator('GET', `${license}/invite`, (request) => askInviteOwner(request), PROOF),
    operator('POST', `${license}/invite`, postInviteOwner, PROOF),
    operator('GET', `${license}/enter`, (request) => askEnter(request), PROOF),
    operator('POST', `${license}/enter`, postEnter, PROOF),
    systemScreen(readQueues, tools),
  ]
}

type Handler = (request: PersonRequest) => PageAnswer | Promise<PageAnswer>

const PROOF = { proof: true } as const

const operator = (
  method: 'GET' | 'POST',
  path: string,
  handler: Handler,
  rule: { readonly proof?: true } = {},
): ScreenRoute => person(method, path, handler, { ...rule, operator: true })

const systemScreen = (readQueues: ReturnType<typeof queueReader>, tools: SystemTools): ScreenRoute =>
  operator('GET', '/system', async (request) => {
    const { ctx, call, texts } = request
    const [state, disk, licenses] = await Promise.all([
      systemState(ctx, readQueues),
      readDisk(ctx.config.dataDir),
      licensePage(ctx, (call.query.cursor ?? '').slice(0, 100)),
    ])
    const props = { state }
    const note = Object.hasOwn(texts.system.notes, call.query.note ?? '')
      ? texts.system.notes[call.query.note as keyof typeof texts.system.notes]
      : undefined
    return renderScreen(request, {
      name: 'system',
      title: texts.system.title,
      flash: note ? { kind: 'ok', text: note } : undefined,
      actions: (
        <AskButton href={NEW_LICENSE} kind="primary">
          {texts.system.newLicense}
        </AskButton>
      ),
      children: (
        <>
          <p class="muted">{texts.system.intro}</p>
          <div class="columns">
            <InstallationCard {...props} version={tools.version} disk={disk} />
            <DatabaseCard {...props} />
            <div class="stack">
              <SettingsCard warnings={tools.warnings} />
              <WebhooksCard {...props} />
            </div>
          </div>
          <Queues {...props} />
          <Troubles {...props} />
          <Licenses licenses={licenses} />
          <Tables {...props} />
        </>
      ),
    })
  })
