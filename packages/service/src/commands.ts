import { type Command, RefusedError, type Shown } from '../../cli/src/command.ts'
import { examine, type Finding, report } from '../../cli/src/commands/doctor.ts'
import { createTender } from '../../sdk/src/tender.ts'

/** Programs of the service that lie beside this one in the package; each is loaded when it is needed. */
const load = (name: string) => import(new URL(`./${name}.js`, import.meta.url).href)

const START: Command = {
  name: 'start',
  description: 'Start the service. Settings come from the environment.',
  isWithoutApp: true,
  async run({ io }) {
    io.err('Starting Tender. The first start sets up its database.')
    // Runs in this process, so that signals and exit codes are those of the service.
    await load('main')
    return undefined
  },
}

const RESTORE_OWNER: Command = {
  name: 'restore-owner',
  description: 'Print a link with which an owner chooses a new password. Settings as for start.',
  args: ['e-mail'],
  isWithoutApp: true,
  async run({ io, args: [email = ''] }) {
    const { restoreOwner } = (await load('restore-owner')) as typeof import('../../../src/restore-owner.ts')
    const url = await orRefused(restoreOwner(io.env, email))
    return { data: { url }, lines: [url] }
  },
}

const BACKUP: Command = {
  name: 'backup',
  description:
    'Write the embedded database and the generated secrets into an archive; the service may be running.',
  args: ['file'],
  isWithoutApp: true,
  async run({ io, args: [file = ''] }) {
    const { backUp } = (await load('backup/back-up')) as typeof import('../../../src/backup/back-up.ts')
    return description(await orRefused(backUp(io.env, file)))
  },
}

const RESTORE: Command = {
  name: 'restore',
  description: 'Restore such an archive into an empty DATA_DIR, while the service is stopped.',
  args: ['file'],
  options: { unverified: { description: 'Restore an archive that no key of SECRET_KEY signed.' } },
  isWithoutApp: true,
  async run({ io, args: [file = ''], values }) {
    const { restore } = (await load('backup/restore')) as typeof import('../../../src/backup/restore.ts')
    return description(
      await orRefused(restore(io.env, file, { unverified: values.unverified !== undefined })),
    )
  },
}

const RESEAL: Command = {
  name: 'reseal',
  description:
    'Finish a change of SECRET_KEY: seal everything by its first key, while all nodes have both keys.',
  isWithoutApp: true,
  async run({ io }) {
    const { reseal } = (await load('reseal/reseal')) as typeof import('../../../src/reseal/reseal.ts')
    const lines = await orRefused(reseal(io.env, (line) => io.err(line)))
    return { data: { description: lines }, lines }
  },
}

const NO_APP: Finding = {
  subject: 'app',
  status: 'warning',
  message: 'No app was checked.',
  todo: 'Set TENDER_APP_ID and TENDER_API_KEY to check its key, providers and webhooks too.',
}

/** Checks the machine where the service runs, and an app if its key is given. */
const DOCTOR: Command = {
  name: 'doctor',
  description: 'Check settings, disk, database, clock and address of the service, and an app.',
  isWithoutApp: true,
  async run({ io, connection, values }) {
    const { examineMachine } = (await load(
      'doctor/examine',
    )) as typeof import('../../../src/doctor/examine.ts')
    const machine = await examineMachine(io.env)
    if (!io.env.TENDER_API_KEY || connection.appId === 'none') return report([...machine.findings, NO_APP])
    const isGiven = values.url !== undefined || io.env.TENDER_URL !== undefined
    const url = isGiven ? connection.url : (machine.url ?? connection.url)
    const app = { ...connection, url }
    return report([...machine.findings, ...(await examine(createTender(app), app))])
  },
}

const description = (text: string): Shown => ({ data: { description: text }, lines: [text] })

/** Names of errors that the operator can solve; each program has classes of its own. */
const REFUSALS = ['StartError', 'ApiError']

async function orRefused<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: Error) => {
    throw REFUSALS.includes(error.name) ? new RefusedError(error.message) : error
  })
}

/** The commands that run the service on this machine. */
export const SERVICE_COMMANDS: readonly Command[] = [START, DOCTOR, BACKUP, RESTORE, RESEAL, RESTORE_OWNER]
