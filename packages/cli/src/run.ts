import { parseArgs } from 'node:util'
import { createTender, TenderError } from '../../sdk/src/tender.ts'
import { type Command, type Connection, type Io, RefusedError, type Shown, UsageError } from './command.ts'
import { DOCTOR } from './commands/doctor.ts'
import { ENDPOINTS } from './commands/endpoints.ts'
import { EXPORT } from './commands/export.ts'
import { IMPORT } from './commands/import.ts'
import { KEYS } from './commands/keys.ts'
import { LICENSES } from './commands/licenses.ts'
import { LISTEN } from './commands/listen.ts'
import { LIVE } from './commands/live.ts'
import { PAYMENTS } from './commands/payments.ts'
import { SETTLEMENTS } from './commands/settlements.ts'
import { TRIGGER } from './commands/trigger.ts'
import { WEBHOOKS } from './commands/webhooks.ts'
import { completionScript, helpText } from './help.ts'

const OPENAPI: Command = {
  name: 'openapi',
  description: 'Print the OpenAPI document of the service, as JSON.',
  isWithoutApp: true,
  async run({ tender }) {
    const data = await tender.service.openapi()
    return { data, lines: [JSON.stringify(data, null, 2)] }
  },
}

/** Completes these commands and itself. */
function completion(others: readonly Command[]): Command {
  const command: Command = {
    name: 'completion',
    description: 'Print completions for bash: source <(tender completion).',
    isWithoutApp: true,
    async run() {
      const script = completionScript([...others, command])
      return { data: { script }, lines: [script] }
    },
  }
  return command
}

const COMMANDS: readonly Command[] = [
  ...PAYMENTS,
  ...SETTLEMENTS,
  ...WEBHOOKS,
  ...ENDPOINTS,
  ...KEYS,
  ...LICENSES,
  EXPORT,
  IMPORT,
  TRIGGER,
  LISTEN,
  DOCTOR,
  LIVE,
  OPENAPI,
]

const EXIT = { done: 0, refused: 1, usage: 2, noAnswer: 3 } as const

/** Runs a command line and returns the exit code. `own` are further commands, or others of the same name. */
export async function run(argv: readonly string[], io: Io, own: readonly Command[] = []): Promise<number> {
  const names = own.map(({ name }) => name)
  const others = [...own, ...COMMANDS.filter(({ name }) => !names.includes(name))]
  try {
    return await execute([...others, completion(others)], argv, io)
  } catch (error) {
    return explain(error, io)
  }
}

async function execute(commands: readonly Command[], argv: readonly string[], io: Io): Promise<number> {
  const command = commandOf(commands, argv)
  if (argv.length === 0 || argv.includes('--help') || argv.includes('-h')) {
    io.out(helpText(commands, command, argv[0]))
    return EXIT.done
  }
  if (!command) throw new UsageError(`There is no command '${argv.join(' ')}'.`)
  const { args, values, isJson } = readLine(command, argv)
  const connection = connectionOf(values, io, command.isWithoutApp === true)
  const show = ({ data, lines }: Shown) =>
    isJson ? io.out(JSON.stringify(data)) : lines.length > 0 && io.out(lines.join('\n'))
  const tender = createTender(connection)
  const shown = await command.run({ tender, io, connection, args, values, show })
  if (shown) show(shown)
  return shown?.hasProblems ? EXIT.refused : EXIT.done
}

/** `payments` alone lists them. */
function commandOf(
  commands: readonly Command[],
  [first = '', second = '']: readonly string[],
): Command | undefined {
  const named = (name: string) => commands.find((command) => command.name === name)
  const isWord = second !== '' && !second.startsWith('-')
  return named(`${first} ${second}`) ?? named(first) ?? (isWord ? undefined : named(`${first} list`))
}

function readLine(command: Command, argv: readonly string[]) {
  const own = Object.entries(command.options ?? {})
  const flags = own.flatMap(([name, { value }]) => (value ? [] : [name]))
  const options = Object.fromEntries(
    [...own.map(([name]) => name), 'url', 'app'].map((name) => [
      name,
      { type: flags.includes(name) ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const { positionals, values } = parsed(() =>
    parseArgs({
      args: [...argv],
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
    }),
  )
  const { json, ...given } = values as Record<string, string | true | undefined>
  const texts = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === true ? 'yes' : value]),
  )
  const words = command.name.split(' ')
  const isShort = positionals[1] !== words[1]
  const args = positionals.slice(isShort ? 1 : words.length)
  const names = command.args ?? []
  const least = names.filter((name) => !name.startsWith('[')).length
  if (args.length < least) throw new UsageError(`Give ${names.slice(args.length, least).join(' and ')}.`)
  if (args.length > names.length) throw new UsageError(`Unknown argument '${args[names.length]}'.`)
  return { args, values: texts, isJson: json === true }
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    // Node adds sentences about how to pass such an argument anyway.
    throw new UsageError(`${(error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, '')}.`)
  }
}

/** The key comes from the environment only: other users can read command lines. */
function connectionOf(
  values: Readonly<Record<string, string | undefined>>,
  { env }: Io,
  isWithoutApp: boolean,
): Connection {
  const url = values.url ?? env.TENDER_URL ?? 'http://localhost:8080'
  const appId = values.app ?? env.TENDER_APP_ID
  const apiKey = env.TENDER_API_KEY
  if (isWithoutApp) return { url, appId: appId ?? 'none', apiKey: apiKey ?? 'none' }
  if (!appId) throw new UsageError('Set TENDER_APP_ID, or give --app.')
  if (!apiKey) throw new UsageError('Set TENDER_API_KEY.')
  return { url, appId, apiKey }
}

function explain(error: unknown, io: Io): number {
  if (error instanceof UsageError) {
    io.err(`${error.message} Try: tender --help`)
    return EXIT.usage
  }
  if (error instanceof RefusedError) {
    io.err(error.message)
    return EXIT.refused
  }
  if (!(error instanceof TenderError)) throw error
  const { code, message, requestId, fields } = error
  io.err(`${message} (${[code, requestId].filter(Boolean).join(', ')})`)
  for (const { message: problem } of fields) io.err(`  ${problem}`)
  return error.status === undefined ? EXIT.noAnswer : EXIT.refused
}
