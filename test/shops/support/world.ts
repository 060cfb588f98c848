import { rm } from 'node:fs/promises'
import { createTender, type Tender } from '../../../packages/sdk/src/tender.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { freePort } from '../../../src/net/free-port.ts'
import { createDatabase } from '../../support/database.ts'
import { newDatabaseFolder } from '../../support/folder.ts'
import { PROCESS_TOKEN, pause, type ServiceProcess, startProcess } from '../../support/service-process.ts'

/** The built service as a process, with one sandbox app. `kill` is SIGKILL; `start` starts it again. */
export interface TenderService {
  readonly url: string
  readonly appId: string
  readonly apiKey: string
  readonly webhookSecret: string
  readonly client: Tender
  start(): Promise<void>
  kill(): Promise<void>
  /** The last lines that it wrote. */
  output(): string
}

/** PostgreSQL and the service. The shop system gets a database of its own on the same server. */
export interface World {
  readonly tender: TenderService
  database(name: string): Promise<string>
  stop(): Promise<void>
}

const READY_MS = 300_000

/** From this risk score on a payment is held: the sandbox has a card with 65. */
const HOLD_SCORE = 60

export async function startWorld(): Promise<World> {
  const folder = await newDatabaseFolder('tender-shops-')
  const postgres = await startEmbedded({ dataDir: folder, durable: false })
  const port = await freePort('127.0.0.1')
  let running: ServiceProcess | undefined
  const start = async () => {
    running = startProcess({ port, env: { DATABASE_URL: postgres.url, LOG_LEVEL: 'error' } })
    await running.ready(READY_MS)
  }
  await start()
  const app = await newApp(`http://127.0.0.1:${port}`)
  return {
    tender: {
      ...app,
      start,
      async kill() {
        await running?.kill()
      },
      output: () => running?.output().slice(-2_000) ?? '',
    },
    database: (name) => createDatabase(postgres.url, name),
    async stop() {
      await running?.kill()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function newApp(url: string) {
  const operator = createTender({ url, appId: 'none', apiKey: PROCESS_TOKEN })
  const { apps } = await operator.licenses.create({ licenseName: 'Shop' })
  const { appId, apiKey } = apps[0] ?? { appId: '', apiKey: '' }
  const client = createTender({ url, appId, apiKey })
  await client.fraudPolicies.create({
    name: 'Review',
    isDefault: true,
    rules: [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: HOLD_SCORE }],
  })
  return { url, appId, apiKey, client, webhookSecret: await client.webhooks.rotateSecret() }
}

/** Often at first, then more seldom: questions take time from the processes that are waited for. */
const POLL = { firstMs: 15, factor: 1.3, longestMs: 200 }
const TICK_MS = 500
const PATIENCE_MS = 300_000

/**
 * Waits until the condition gives a value. Meanwhile the app's clock moves ahead, so that retries of webhooks
 * and questions to the bank come at once.
 */
export async function until<T>(
  { client }: Pick<TenderService, 'client'>,
  what: string,
  condition: () => Promise<T | undefined | false>,
): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS
  let tickMs = performance.now() + TICK_MS
  for (let pauseMs = POLL.firstMs; ; pauseMs = Math.min(pauseMs * POLL.factor, POLL.longestMs)) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (performance.now() > endMs) throw new Error(`Not within five minutes: ${what}`)
    await pause(pauseMs)
    if (performance.now() > tickMs) {
      await client.testHelpers.advanceClock({ advance: '15s' })
      tickMs = performance.now() + TICK_MS
    }
  }
}
