import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createTender, TenderError, verifyWebhook, WebhookError } from '../../packages/sdk/src/tender.ts'
import type { Answer } from '../support/tender.ts'

/** A call as calls.json has it. */
export interface Step {
  readonly call: string
  readonly args?: readonly Answer[]
  readonly options?: Readonly<Record<string, unknown>>
  /** Of a list: the first rows, or its pages. All rows without it. */
  readonly read?: number | 'pages'
}

export interface Outcome {
  readonly result?: Answer
  readonly error?: Answer
  /** In seconds. */
  readonly waits: readonly number[]
}

/** A client that runs calls, in one of the languages. */
export interface Driver {
  run(step: Step): Promise<Outcome>
  stop(): Promise<void>
}

export interface Target {
  readonly url: string
  readonly appId: string
  readonly apiKey: string
}

export function typescriptDriver(target: Target): Driver {
  let waits: number[] = []
  const tender: Answer = createTender({
    ...target,
    wait: async (milliseconds) => void waits.push(milliseconds / 1_000),
  })
  return {
    async run(step) {
      waits = []
      const done = await runHere(tender, step).then(
        (result) => ({ result: result ?? null }),
        (error) => ({ error: errorOf(error) }),
      )
      return { ...done, waits }
    },
    stop: async () => {},
  }
}

async function runHere(
  tender: Answer,
  { call, args: given = [], options = {}, read }: Step,
): Promise<unknown> {
  const args = JSON.parse(JSON.stringify(given), exact)
  if (call === 'verifyWebhook') {
    const { body, headers, secret, now } = args[0]
    return verifyWebhook(body, headers, secret, now === undefined ? {} : { now: new Date(now * 1_000) })
  }
  const [resource = '', name = ''] = call.split('.')
  const method = tender[resource][name]
  const inputs = Array.from({ length: method.length - 1 }, (_, place) => args[place] ?? undefined)
  const found = method(...inputs, options)
  const file = await found
  if (typeof file?.text === 'function') return { type: file.contentType, text: await file.text() }
  if (typeof found.pages !== 'function') return found
  if (typeof read === 'number') return found.take(read)
  return collected(read === 'pages' ? found.pages() : found)
}

/** `{ "decimal": "2.9" }` stands for the exact number of each language, `{ "file": "…" }` for its bytes. */
const exact = (_name: string, value: Answer): Answer =>
  typeof value?.decimal === 'string'
    ? Number(value.decimal)
    : typeof value?.file === 'string'
      ? Buffer.from(value.file)
      : value

async function collected(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const all = []
  for await (const row of rows) all.push(row)
  return all
}

function errorOf(error: unknown): object {
  if (error instanceof WebhookError) return { problem: error.problem, message: error.message }
  if (!(error instanceof TenderError)) return { refused: true }
  const { code, message, status, requestId, isRetryable, retryAfterSeconds, problem = null, fields } = error
  return {
    ...{ code, message, problem, fields, retryable: isRetryable },
    status: status ?? null,
    requestId: requestId ?? null,
    retryAfter: retryAfterSeconds ?? null,
  }
}

const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

/** Whether the programs of these languages can run here; PHP needs a client of its own. */
export const INSTALLED = {
  Python: succeeds('python3', '--version'),
  PHP: succeeds('php', '-r', "require '/usr/share/php/GuzzleHttp/autoload.php';"),
}

export const ENVIRONMENT = {
  PATH: process.env.PATH,
  PYTHONPATH: 'packages/python/src',
  PYTHONDONTWRITEBYTECODE: '1',
}

/** A program that answers each line with a line; the first line is the target. */
export function programDriver(command: string, args: readonly string[], target: Target): Driver {
  const child: ChildProcessWithoutNullStreams = spawn(command, args, { env: ENVIRONMENT })
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint += chunk))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const say = (what: object) => child.stdin.write(`${JSON.stringify(what)}\n`)
  say(target)
  return {
    async run(step) {
      say(step)
      const { value, done } = await lines.next()
      if (done) throw new Error(`${command} ended: ${complaint}`)
      const { error, ...outcome } = JSON.parse(value)
      return error ? { ...outcome, error: sameNames(error) } : outcome
    },
    async stop() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'close')
    },
  }
}

/** Python has its own spelling of names. */
function sameNames({ request_id: requestId, retry_after: retryAfter, ...error }: Answer): Answer {
  return {
    ...error,
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}
