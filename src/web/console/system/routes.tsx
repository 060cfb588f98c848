import { notFound } from '../../../base/errors.ts'
import { readDisk } from '../../../db/embedded/disk.ts'
import type { Route } from '../../../http/route.ts'
import { queueReader, systemState } from '../../../insights/system.ts'
import type { Job } from '../../../jobs/loop.ts'
import { licensePage } from '../../../merchants/licenses/commands.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'
import { AskButton } from '../parts/forms.tsx'
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
export function systemScreens({ person }: Screens, tools: SystemTools): Route[] {
  const readQueues = queueReader(tools.jobs)
  const license = '/system/licenses/{licenseId}'
  return [
    person(
      'GET',
      '/system/licenses/new',
      operators((visit) => askNewLicense(visit)),
    ),
    person('POST', '/system/licenses/new', operators(postNewLicense)),
    person(
      'GET',
      `${license}/invite`,
      operators((visit) => askInviteOwner(visit)),
    ),
    person('POST', `${license}/invite`, operators(postInviteOwner)),
    person(
      'GET',
      `${license}/enter`,
      operators((visit) => askEnter(visit)),
    ),
    person('POST', `${license}/enter`, operators(postEnter)),
    systemScreen(person, readQueues, tools),
  ]
}

type Handler = (visit: Visit) => PageAnswer | Promise<PageAnswer>

const operators =
  (handler: Handler): Handler =>
  (visit) => {
    if (!visit.person.isOperator) throw notFound('The page')
    return handler(visit)
  }

const systemScreen = (
  person: Screens['person'],
  readQueues: ReturnType<typeof queueReader>,
  tools: SystemTools,
): Route =>
  person(
    'GET',
    '/system',
    operators(async (visit) => {
      const { ctx, call, texts } = visit
      const [state, disk, licenses] = await Promise.all([
        systemState(ctx, readQueues),
        readDisk(ctx.config.dataDir),
        licensePage(ctx, (call.query.cursor ?? '').slice(0, 100)),
      ])
      const props = { visit, state }
      const note = Object.hasOwn(texts.system.notes, call.query.note ?? '')
        ? texts.system.notes[call.query.note as keyof typeof texts.system.notes]
        : undefined
      return drawScreen(visit, {
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
  )
