import { jobsOf } from '../../src/app.ts'
import { after, type Clock } from '../../src/base/clock.ts'
import { Secret } from '../../src/base/secret.ts'
import { composeContext } from '../../src/compose.ts'
import type { Config } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import type { Database } from '../../src/db/database.ts'
import { createLanes } from '../../src/db/lanes.ts'
import type { Job } from '../../src/jobs/loop.ts'
import type { Http } from '../../src/net/http.ts'
import { adyen } from '../../src/providers/adyen/adapter.ts'
import { authorizeNet } from '../../src/providers/authorize-net/adapter.ts'
import { btcpay } from '../../src/providers/btcpay/adapter.ts'
import { mollie } from '../../src/providers/mollie/adapter.ts'
import { createPaypal } from '../../src/providers/paypal/adapter.ts'
import type { ProviderAdapter } from '../../src/providers/port.ts'
import { square } from '../../src/providers/square/adapter.ts'
import { stripe } from '../../src/providers/stripe/adapter.ts'
import type { Answer } from '../support/tender.ts'
import { ORIGINS } from './provider.ts'
import { simulatedPost } from './receiver.ts'
import { type Shell, takeShell } from './shell.ts'
import type { World } from './world.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Answer
  readonly text: string
}

/** One process of the service: real code, a world of ours around it. */
export interface Node {
  readonly name: string
  readonly ctx: Context
  readonly shell: Shell
  /** Resolves when it dies. */
  readonly death: Promise<undefined>
  /** How far its clock is off. */
  skewMs: number
  /** Undefined: the process died before it answered. */
  request(method: string, url: string, options?: RequestOptions): Promise<Reply | undefined>
  /**
   * What its loops would run now: each job at its pace, and at once when it was woken or had work before.
   * Says how much work there was.
   */
  runDueJobs(): Promise<number>
  die(): void
}

interface RequestOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const OPERATOR_TOKEN = 'operator-token-of-the-simulation'
export const SECRET_KEY = 'a secret key of the simulation, 32 characters'
export const PUBLIC_URL = 'http://tender.sim'

const CONFIG: Config = {
  port: 1,
  host: '127.0.0.1',
  publicUrl: PUBLIC_URL,
  dataDir: 'unused',
  operatorToken: new Secret(OPERATOR_TOKEN),
  secretKeys: [new Secret(SECRET_KEY)],
  rateLimit: 200,
  role: 'all',
  logLevel: 'debug',
  allowPrivateWebhooks: true,
  production: true,
  providerOrigins: ORIGINS,
}

export function startNode(world: World, name: string, http: Http): Node {
  let skew = 0
  const clock: Clock = {
    now: () => after(world.clock.now(), skew),
    sleep: (ms, signal) => world.clock.sleep(ms, signal),
  }
  const { random, vault, log, sandbox } = world
  const db = simulatedDatabase(world, name)
  const post = simulatedPost(world, name)
  const dns = { texts: async () => [] }
  const composed = composeContext(CONFIG, { db, clock, random, vault, log, http, dns, post, sandbox })
  const ctx: Context = { ...composed, providers: new Map([...composed.providers, ...ownAdapters(world)]) }
  const jobs = jobsOf(ctx, sandbox)
  const shell = takeShell(CONFIG)
  shell.enter({ ctx, sandbox, jobs })
  // One step, however long it takes: whether the shell is new must not show.
  const started = world.turnstile.pass(name, async () => void (await shell.fastify.ready()))
  let dead: () => void = () => {}
  const death = new Promise<undefined>((resolve) => {
    dead = () => resolve(undefined)
  })
  return {
    name,
    ctx,
    shell,
    death,
    runDueJobs: simulatedLoops(world, ctx, jobs),
    get skewMs() {
      return skew
    },
    set skewMs(ms: number) {
      skew = ms
    },
    async request(method, url, { body, headers } = {}) {
      await Promise.race([started, death])
      const answer = shell.fastify.inject({
        method: method as 'GET',
        url,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const response = await Promise.race([answer, death])
      if (!response) return undefined
      const text = response.body
      const isJson = /json/.test(String(response.headers['content-type'])) && text !== ''
      return {
        status: response.statusCode,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text,
        text,
      }
    },
    die: () => dead(),
  }
}

/** An adapter keeps what it has read while its process lives. */
const ownAdapters = ({ mutate }: World): [string, ProviderAdapter][] => [
  ['adyen', mutate.adapter(adyen)],
  ['authorize-net', mutate.adapter(authorizeNet)],
  ['btcpay', mutate.adapter(btcpay)],
  ['mollie', mutate.adapter(mollie)],
  ['square', mutate.adapter(square)],
  ['stripe', mutate.adapter(stripe)],
  ['paypal', mutate.adapter(createPaypal())],
]

function simulatedLoops({ clock }: World, { signals }: Context, jobs: readonly Job[]): Node['runDueJobs'] {
  const ranMs = new Map<Job, number>()
  for (const job of jobs) signals.on(job.topic ?? job.name, () => ranMs.delete(job))
  const isDue = (job: Job) =>
    clock.now().getTime() - (ranMs.get(job) ?? Number.NEGATIVE_INFINITY) >= job.everyMs
  async function run(job: Job): Promise<number> {
    ranMs.set(job, clock.now().getTime())
    const work = await job.runOnce()
    if (work > 0) ranMs.delete(job)
    return work
  }
  return async () => {
    const work = await Promise.all(jobs.filter(isDue).map(run))
    return work.reduce((sum, done) => sum + done, 0)
  }
}

/** The real database, through the turnstile. A transaction is one step: all there or not at all. */
export function simulatedDatabase(world: World, who: string): Database {
  const { turnstile, database, mutate } = world
  const query: Database['query'] = (statement, values) =>
    turnstile.pass(who, () => database.query(mutate.statement(statement), values))
  const lanes = createLanes(async (statement, json) => (await query(statement as never, [json])) as never)
  return {
    query,
    batch: mutate.batch(lanes),
    transaction: (work, opening) =>
      turnstile.pass(who, () =>
        database.transaction(
          (tx) => work({ query: (statement, values) => tx.query(mutate.statement(statement), values) }),
          opening,
        ),
      ),
    listen: () => () => {},
    close: async () => {},
  }
}
