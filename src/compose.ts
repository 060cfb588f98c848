import { type Clock, systemClock } from './base/clock.ts'
import { type Random, systemRandom } from './base/ids.ts'
import type { Log } from './base/log.ts'
import { createVault } from './base/secret.ts'
import type { Config } from './config.ts'
import type { Context, Ports } from './context.ts'
import { channelOf } from './db/notify.ts'
import { openDatabase } from './db/pool.ts'
import { createSharedLimits, type SharedLimits } from './http/limits/shared.ts'
import { createBackground } from './jobs/background.ts'
import { createSignals } from './jobs/signals.ts'
import { createLog } from './log.ts'
import { createCallRecorder } from './logs/provider/record.ts'
import { logs } from './logs/state.ts'
import { apiLimits } from './merchants/api-limits.ts'
import { freePort } from './net/free-port.ts'
import { createHttp } from './net/http.ts'
import { createPost } from './net/post.ts'
import { createResolver } from './net/resolver.ts'
import { createNodeState } from './node/slot.ts'
import { createProviders } from './providers/registry.ts'
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts'
import type { RequestTracer } from './tracing/tracer.ts'
import { tracedHttp } from './tracing/work.ts'

export interface ServiceOptions {
  readonly config: Config
  readonly databaseUrl: string
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  /** See `PoolOptions`. */
  readonly databasePatience?: number | undefined
  /** The system's when absent. */
  readonly dnsServers?: readonly string[]
  /** Absent while traces are off. */
  readonly tracer?: RequestTracer | undefined
}

/** More connections than these only queue inside PostgreSQL: on two cores 32 are slower than 8. */
export const poolSize = ({ databasePool, workers = 1 }: Config): number =>
  databasePool ?? (workers > 1 ? 4 : 8)

/** The ports of a node: database, clock, network. A simulation replaces them. */
export interface Outside
  extends Pick<
    Context,
    | 'db'
    | 'clock'
    | 'random'
    | 'vault'
    | 'log'
    | 'http'
    | 'dns'
    | 'post'
    | 'sharedLimits'
    | 'meter'
    | 'tracer'
  > {
  /** Absent when the setting SANDBOX_BANK is off. */
  readonly sandbox?: Sandbox | undefined
}

export function openOutside({
  config,
  databaseUrl,
  ...given
}: ServiceOptions): Outside & { readonly sharedLimits: SharedLimits; close(): Promise<void> } {
  const { clock = systemClock, random = systemRandom, log = createLog(config.logLevel) } = given
  const { dnsServers, tracer, databasePatience: patience } = given
  const onError = (error: Error) => log.warn('database.connection_lost', { error: error.message })
  const replicaUrl = config.databaseReplicaUrl?.reveal()
  const size = poolSize(config)
  const pool = { size, patience, onError, ...(replicaUrl && { replicaUrl }), ...(tracer && { tracer }) }
  const db = openDatabase({ url: databaseUrl, ...pool })
  const resolver = createResolver({ clock, ...(dnsServers && { servers: dnsServers }) })
  const plainHttp = createHttp(log, resolver, { allowPrivate: config.allowPrivateWebhooks })
  const http = tracer ? tracedHttp(tracer, plainHttp) : plainHttp
  const post = createPost({ allowPrivate: config.allowPrivateWebhooks, resolver })
  const vault = createVault(
    config.secretKeys.map((key) => key.reveal()),
    random,
  )
  const { publicUrl, providerOrigins } = config
  const address = providerOrigins?.sandbox
  const sandbox =
    config.sandboxBank === false
      ? undefined
      : createSandbox({ db, clock, random, log, publicUrl, vault, http, ...(address && { address }) })
  const close = async () => {
    await http.close()
    await post.close()
    await db.close()
  }
  const sharedLimits = createSharedLimits({ channel: channelOf(db, 'tender_siblings'), clock, random, log })
  const opened = { db, clock, random, vault, log, http, dns: resolver, post, sandbox, sharedLimits, close }
  return { ...opened, ...(tracer && { tracer }) }
}

export function composeContext(config: Config, { sandbox, ...outside }: Outside): Context {
  const ports: Ports = {
    ...outside,
    config,
    providers: createProviders(sandbox ? [sandbox.adapter] : []),
    signals: createSignals(),
    background: createBackground(outside.log),
  }
  const node = createNodeState(ports)
  // They count what other nodes take, from the start.
  apiLimits({ node })
  return { ...ports, node, recordCalls: createCallRecorder({ logs: logs({ node }), log: ports.log }) }
}

/** Links and notification addresses carry the port, so any free one is chosen before anything is composed. */
export async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host)
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}
