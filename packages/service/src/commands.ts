import { type Command, RefusedError } from '../../cli/src/command.ts'

/** Programs of the service that lie beside this one in the package; each is loaded when it is needed. */
const load = (name: string) => import(new URL(`./${name}.js`, import.meta.url).href)

const START: Command = {
  name: 'start',
  says: 'Start the service. Settings come from the environment.',
  isWithoutApp: true,
  async run() {
    // Runs in this process, so that signals and exit codes are those of the service.
    await load('main')
    return undefined
  },
}

const RESTORE_OWNER: Command = {
  name: 'restore-owner',
  says: 'Print a link with which an owner chooses a new password. Settings as for start.',
  args: ['e-mail'],
  isWithoutApp: true,
  async run({ io, args: [email = ''] }) {
    const { restoreOwner } = (await load('restore-owner')) as typeof import('../../../src/restore-owner.ts')
    const url = await orRefused(restoreOwner(io.env, email))
    return { data: { url }, lines: [url] }
  },
}

/** Names of errors that the operator can solve; each program has classes of its own. */
const REFUSALS = ['StartError', 'ApiError']

async function orRefused<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: Error) => {
    throw REFUSALS.includes(error.name) ? new RefusedError(error.message) : error
  })
}

/** The commands that run the service on this machine. */
export const SERVICE_COMMANDS: readonly Command[] = [START, RESTORE_OWNER]
