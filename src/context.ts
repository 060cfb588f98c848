import type { Actor } from './base/actor.ts'
import type { Clock } from './base/clock.ts'
import type { Random } from './base/ids.ts'
import type { Log } from './base/log.ts'
import type { Meter } from './base/metrics/meter.ts'
import type { Vault } from './base/secret.ts'
import type { Tracer } from './base/tracing/tracer.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { SharedLimits } from './http/limits/shared.ts'
import type { Background } from './jobs/background.ts'
import type { Signals } from './jobs/signals.ts'
import type { Http } from './net/http.ts'
import type { Post } from './net/post.ts'
import type { Dns } from './net/resolver.ts'
import type { NodeState } from './node/slot.ts'
import type { CallRecorder } from './providers/call-recorder.ts'
import type { Providers } from './providers/port.ts'

/** Everything that comes from outside the code. */
export interface Ports {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly log: Log
  readonly http: Http
  readonly dns: Dns
  /** To addresses that merchants choose. */
  readonly post: Post
  readonly providers: Providers
  readonly config: Config
  readonly signals: Signals
  readonly background: Background
  /** Absent in a simulation. */
  readonly sharedLimits?: SharedLimits
  /** Absent while metrics are off. */
  readonly meter?: Meter
  /** Absent while traces are off. */
  readonly tracer?: Tracer
}

/**
 * All of that, and all state of this process: one value, so that the whole service can run in a simulation.
 */
export interface Context extends Ports {
  /** Features read their part with a slot that they declare. */
  readonly node: NodeState<Ports>
  /** Adds calls to providers to the log. */
  readonly recordCalls: CallRecorder
  /** Who makes the changes of this request. Absent for jobs and for requests of payers. */
  readonly actor?: Actor
}

/** The context of a request: the same, on behalf of its actor. */
export const acting = (ctx: Context, actor: Actor | undefined): Context => (actor ? { ...ctx, actor } : ctx)
