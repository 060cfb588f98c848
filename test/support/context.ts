import { inject } from 'vitest'
import { randomText, systemRandom } from '../../src/base/ids.ts'
import type { Log } from '../../src/base/log.ts'
import { createVault, Secret } from '../../src/base/secret.ts'
import type { Config } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { createBackground } from '../../src/jobs/background.ts'
import { createSignals } from '../../src/jobs/signals.ts'
import { createCallRecorder } from '../../src/logs/provider/record.ts'
import { logs } from '../../src/logs/state.ts'
import type { Http } from '../../src/net/http.ts'
import { createHttp } from '../../src/net/http.ts'
import { createPost } from '../../src/net/post.ts'
import { createNodeState } from '../../src/node/slot.ts'
import type { Providers } from '../../src/providers/port.ts'
import { createFakeClock, type FakeClock } from './clock.ts'
import { createDatabase, PATIENCE } from './database.ts'
import { createFakeProvider } from './provider.ts'

interface LogLine {
  readonly level: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface TestContext extends Context {
  readonly clock: FakeClock
  /** Everything that was logged, in order. */
  readonly lines: LogLine[]
  readonly databaseUrl: string
  close(): Promise<void>
}

export interface TestContextOptions {
  readonly config?: Partial<Config>
  readonly providers?: Providers
  readonly clock?: FakeClock
  /** Another context on the same database: a second node. */
  readonly sharing?: TestContext
}

const SECRET_KEY = 'a secret key for tests only, 32 characters and more'

/** A whole context on a database of its own, with time that moves only when told to. */
export async function testContext(options: TestContextOptions = {}): Promise<TestContext> {
  const databaseUrl = options.sharing?.databaseUrl ?? (await freshDatabase())
  const lines: LogLine[] = []
  const log = capturingLog(lines)
  const db = openDatabase({ url: databaseUrl, size: 4, patience: PATIENCE })
  const http: Http & { close(): Promise<void> } = createHttp(log)
  const background = createBackground(log)
  const config = testConfig(options.config)
  const post = createPost({ allowPrivate: config.allowPrivateWebhooks })
  const base = {
    db,
    clock: options.clock ?? options.sharing?.clock ?? createFakeClock(),
    random: systemRandom,
    vault: createVault(
      config.secretKeys.map((key) => key.reveal()),
      systemRandom,
    ),
    log,
    http,
    dns: { texts: async () => [] },
    post,
    providers: options.providers ?? fakeProviders(),
    config,
    signals: createSignals(),
    background,
  }
  const node = createNodeState(base)
  return {
    ...base,
    node,
    recordCalls: createCallRecorder({ logs: logs({ node }), log }),
    lines,
    databaseUrl,
    async close() {
      await background.settled()
      await http.close()
      await post.close()
      await db.close()
    },
  }
}

const freshDatabase = (): Promise<string> =>
  createDatabase(inject('databaseUrl'), `test_${randomText(systemRandom, 12)}`, 'template')

const testConfig = (overrides: Partial<Config> = {}): Config => ({
  port: 0,
  host: '127.0.0.1',
  publicUrl: 'http://tender.test',
  dataDir: 'data',
  operatorToken: new Secret('operator token for tests'),
  secretKeys: [new Secret(SECRET_KEY)],
  rateLimit: 200,
  role: 'all',
  logLevel: 'debug',
  allowPrivateWebhooks: true,
  production: false,
  ...overrides,
})

function fakeProviders(): Providers {
  const sandbox = createFakeProvider({ id: 'sandbox', sandboxOnly: true })
  const plain = createFakeProvider({ id: 'plain', currencies: ['USD', 'EUR'] })
  return new Map([
    ['sandbox', sandbox.adapter],
    ['plain', plain.adapter],
  ])
}

function capturingLog(lines: LogLine[]): Log {
  const at =
    (level: string) =>
    (event: string, data: object = {}) =>
      void lines.push({ level, event, data: data as LogLine['data'] })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
