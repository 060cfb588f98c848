import { type Clock, SECOND } from '../../base/clock.ts'
import { type Random, randomText } from '../../base/ids.ts'
import { errorData, type Log } from '../../base/log.ts'

/**
 * Rate limits shared by all processes on one database. Each process publishes how many tokens its limiters
 * took, in short intervals; its peers take the same number from their own buckets, into debt if necessary.
 * A caller can use the burst of several buckets once; over time it gets the rate of a single bucket.
 * Decision 0089.
 */
export interface SharedLimits {
  /**
   * Limiters with the same name share one limit. `received` is called with the tokens that a peer took.
   * Returns a function that records a token taken by this process.
   */
  join(name: string, received: Received): (subject: string) => void
  /** Starts to publish and receive. Returns the function that stops both. */
  listen(): () => void
}

type Received = (subject: string, count: number) => void

/** Tokens taken from one limiter by one subject. */
type Usage = readonly [limiter: string, subject: string, count: number]

interface Message {
  readonly from: string
  readonly given: readonly Usage[]
}

/** Publish and subscribe between the processes on one database. */
export interface Channel {
  /** At most 8,000 bytes for each message. */
  publish(...messages: readonly string[]): Promise<void>
  /** Calls back with each message, and with an empty one on every (re)connect. Returns the unsubscribe. */
  subscribe(received: (message: string) => void): () => void
}

interface Dependencies {
  readonly channel: Channel
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const PUBLISH_INTERVAL_MS = 50
/** Interval of heartbeats. A process that has received none within the peer TTL publishes no usage. */
const HEARTBEAT_MS = 10 * SECOND
const PEER_TTL_MS = 3 * HEARTBEAT_MS
/** A PostgreSQL notification holds 8,000 bytes; an entry is at most about a hundred. */
const MAX_ENTRIES_PER_MESSAGE = 60
/** Above this, only the entries with the highest counts are published. */
const MAX_ENTRIES_PER_PUBLISH = 1_000
/** Subjects counted for each limiter between two messages. Bounds memory when many addresses call. */
const MAX_SUBJECTS = 10_000

export function createSharedLimits({ random, ...dependencies }: Dependencies): SharedLimits {
  const processId = randomText(random, 8)
  const publisher = createPublisher(processId, dependencies)
  const peers = createPeers(dependencies.clock)
  const limiters = new Map<string, Received>()

  function receive(text: string): void {
    // The subscription has (re)connected.
    if (text === '') return void publisher.publish()
    const message = parseMessage(text)
    if (!message || message.from === processId) return
    for (const [limiter, subject, count] of message.given) limiters.get(limiter)?.(subject, count)
    // A new peer does not know this process yet.
    if (peers.seen(message.from)) void publisher.publish()
  }

  return {
    join(name, received) {
      if (limiters.has(name)) throw new Error(`Two limiters are called ${name}.`)
      limiters.set(name, received)
      return (subject) => {
        if (peers.exist()) publisher.record(name, subject)
      }
    },
    listen() {
      const unsubscribe = dependencies.channel.subscribe(receive)
      void publisher.sendHeartbeats()
      return () => {
        publisher.stop()
        unsubscribe()
      }
    },
  }
}

function createPublisher(processId: string, { channel, clock, log }: Omit<Dependencies, 'random'>) {
  const usage = createUsage()
  const stopping = new AbortController()
  let isPublishing = false

  /** A lost message is not repeated: the caller gets that many tokens more, once. */
  async function publish(): Promise<void> {
    if (stopping.signal.aborted) return
    await channel
      .publish(...messagesOf(processId, usage.takeAll()))
      .catch((error) => log.debug('siblings.tell_failed', errorData(error)))
  }

  /** One publish at a time, so a slow database receives fewer messages. */
  async function publishAll(): Promise<void> {
    isPublishing = true
    while (!usage.isEmpty() && !stopping.signal.aborted) {
      await clock.sleep(PUBLISH_INTERVAL_MS, stopping.signal)
      await publish()
    }
    isPublishing = false
  }

  return {
    publish,
    record(limiter: string, subject: string): void {
      usage.add(limiter, subject)
      if (!isPublishing) void publishAll()
    },
    async sendHeartbeats(): Promise<void> {
      while (!stopping.signal.aborted) {
        await clock.sleep(HEARTBEAT_MS, stopping.signal)
        await publish()
      }
    },
    stop: () => stopping.abort(),
  }
}

/** The other processes that sent a message within the TTL. */
function createPeers(clock: Clock) {
  const expiryMsOf = new Map<string, number>()
  let lastExpiryMs = 0
  return {
    exist: (): boolean => clock.now().getTime() < lastExpiryMs,
    /** Returns whether the peer is new. */
    seen(peer: string): boolean {
      const nowMs = clock.now().getTime()
      for (const [id, expiryMs] of expiryMsOf) if (expiryMs <= nowMs) expiryMsOf.delete(id)
      const isNew = !expiryMsOf.has(peer)
      lastExpiryMs = nowMs + PEER_TTL_MS
      expiryMsOf.set(peer, lastExpiryMs)
      return isNew
    },
  }
}

/** Tokens taken by this process and not yet published. */
function createUsage() {
  const counts = new Map<string, Map<string, number>>()
  return {
    isEmpty: (): boolean => counts.size === 0,
    add(limiter: string, subject: string): void {
      const subjects = counts.get(limiter) ?? new Map<string, number>()
      if (subjects.size >= MAX_SUBJECTS && !subjects.has(subject)) return
      counts.set(limiter, subjects.set(subject, (subjects.get(subject) ?? 0) + 1))
    },
    takeAll(): Usage[] {
      const all = [...counts].flatMap(([limiter, subjects]) =>
        [...subjects].map(([subject, count]): Usage => [limiter, subject, count]),
      )
      counts.clear()
      if (all.length <= MAX_ENTRIES_PER_PUBLISH) return all
      return all.sort(([, , one], [, , other]) => other - one).slice(0, MAX_ENTRIES_PER_PUBLISH)
    },
  }
}

/** At least one message: an empty one is a heartbeat. */
function messagesOf(from: string, usage: readonly Usage[]): string[] {
  const size = MAX_ENTRIES_PER_MESSAGE
  const count = Math.max(1, Math.ceil(usage.length / size))
  return Array.from({ length: count }, (_, n): string => {
    const message: Message = { from, given: usage.slice(n * size, (n + 1) * size) }
    return JSON.stringify(message)
  })
}

/** Undefined for a message of an unknown format, as a node of another version may send. */
function parseMessage(text: string): Message | undefined {
  try {
    const { from, given } = JSON.parse(text)
    return typeof from === 'string' && Array.isArray(given) && given.every(isUsage)
      ? { from, given }
      : undefined
  } catch {
    return undefined
  }
}

const isUsage = (entry: unknown): boolean =>
  Array.isArray(entry) && typeof entry[1] === 'string' && Number.isInteger(entry[2]) && entry[2] > 0
