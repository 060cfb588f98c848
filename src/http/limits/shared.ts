import { type Clock, SECOND } from '../../base/clock.ts'
import { type Random, randomText } from '../../base/ids.ts'
import { errorData, type Log } from '../../base/log.ts'

/**
 * All processes on one database, of one machine or of many, share their rate limits. Each says every few
 * moments what its limiters gave out, and the others take as much from their own buckets, into debt if
 * need be: a caller may get what the buckets of several hold once, and over time what one would give.
 */
export interface SharedLimits {
  /**
   * Limiters of one name are one limit. Calls back with what another process gave out; returns how to say
   * what this one did.
   */
  join(name: string, heard: Heard): (subject: string) => void
  /** From now on; returns how to stop. */
  listen(): () => void
}

type Heard = (subject: string, count: number) => void

/** From which limiter, to whom, how often. */
type Given = readonly [limiter: string, subject: string, count: number]

interface Word {
  readonly from: string
  readonly given: readonly Given[]
}

/** How processes on one database reach each other. */
export interface Channel {
  /** At most 8,000 bytes each. */
  publish(...messages: readonly string[]): Promise<void>
  /** Calls back with each message, and with an empty one whenever listening begins. Returns how to stop. */
  subscribe(heard: (message: string) => void): () => void
}

interface Outside {
  readonly channel: Channel
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const TELL_MS = 50
/** How often one says that it is there, and for how long it is believed: who is alone need not tell more. */
const PRESENT_MS = 10 * SECOND
const BELIEVED_MS = 3 * PRESENT_MS
/** PostgreSQL carries 8,000 bytes at once; a limiter, an address and a count are at most a hundred. */
const GIVEN_AT_ONCE = 60
/** When more have been given something in one moment, only those who took most are told of. */
const MOST_GIVEN = 1_000
/** Subjects of a limiter that are counted between two messages: more addresses need no more memory. */
const MOST_COUNTED = 10_000

export function createSharedLimits({ random, ...outside }: Outside): SharedLimits {
  const me = randomText(random, 8)
  const voice = createVoice(me, outside)
  const others = createOthers(outside.clock)
  const limiters = new Map<string, Heard>()

  function hear(said: string): void {
    // Listening has begun, or begun anew.
    if (said === '') return void voice.say()
    const word = readWord(said)
    if (!word || word.from === me) return
    for (const [limiter, subject, count] of word.given) limiters.get(limiter)?.(subject, count)
    // Whoever is new here does not know us either.
    if (others.meet(word.from)) void voice.say()
  }

  return {
    join(name, heard) {
      if (limiters.has(name)) throw new Error(`Two limiters are called ${name}.`)
      limiters.set(name, heard)
      return (subject) => {
        if (others.areKnown()) voice.tell(name, subject)
      }
    },
    listen() {
      const stop = outside.channel.subscribe(hear)
      void voice.stayPresent()
      return () => {
        voice.stop()
        stop()
      }
    },
  }
}

function createVoice(me: string, { channel, clock, log }: Omit<Outside, 'random'>) {
  const tally = createTally()
  const stopping = new AbortController()
  let isTelling = false

  /** A word that is lost is forgiven: the caller got that much more, once. */
  async function say(): Promise<void> {
    if (stopping.signal.aborted) return
    await channel
      .publish(...wordsOf(me, tally.takeAll()))
      .catch((error) => log.debug('siblings.tell_failed', errorData(error)))
  }

  /** One at a time: a database that is slow gets fewer words, not more. */
  async function tellAll(): Promise<void> {
    isTelling = true
    while (!tally.isEmpty() && !stopping.signal.aborted) {
      await clock.sleep(TELL_MS, stopping.signal)
      await say()
    }
    isTelling = false
  }

  return {
    say,
    tell(limiter: string, subject: string): void {
      tally.add(limiter, subject)
      if (!isTelling) void tellAll()
    },
    async stayPresent(): Promise<void> {
      while (!stopping.signal.aborted) {
        await clock.sleep(PRESENT_MS, stopping.signal)
        await say()
      }
    },
    stop: () => stopping.abort(),
  }
}

/** Whom this process has heard of lately. */
function createOthers(clock: Clock) {
  const believedUntilMs = new Map<string, number>()
  let untilMs = 0
  return {
    areKnown: (): boolean => clock.now().getTime() < untilMs,
    /** Whether this one was unknown. */
    meet(name: string): boolean {
      const nowMs = clock.now().getTime()
      for (const [each, until] of believedUntilMs) if (until <= nowMs) believedUntilMs.delete(each)
      const isNew = !believedUntilMs.has(name)
      untilMs = nowMs + BELIEVED_MS
      believedUntilMs.set(name, untilMs)
      return isNew
    },
  }
}

/** What was given out and not yet told. */
function createTally() {
  const counts = new Map<string, Map<string, number>>()
  return {
    isEmpty: (): boolean => counts.size === 0,
    add(limiter: string, subject: string): void {
      const of = counts.get(limiter) ?? new Map<string, number>()
      if (of.size >= MOST_COUNTED && !of.has(subject)) return
      counts.set(limiter, of.set(subject, (of.get(subject) ?? 0) + 1))
    },
    takeAll(): Given[] {
      const all = [...counts].flatMap(([limiter, of]) =>
        [...of].map(([subject, count]): Given => [limiter, subject, count]),
      )
      counts.clear()
      if (all.length <= MOST_GIVEN) return all
      return all.sort(([, , one], [, , other]) => other - one).slice(0, MOST_GIVEN)
    },
  }
}

/** At least one: it also says that we are here. */
function wordsOf(from: string, given: readonly Given[]): string[] {
  const count = Math.max(1, Math.ceil(given.length / GIVEN_AT_ONCE))
  return Array.from({ length: count }, (_, n): string => {
    const word: Word = { from, given: given.slice(n * GIVEN_AT_ONCE, (n + 1) * GIVEN_AT_ONCE) }
    return JSON.stringify(word)
  })
}

/** Nodes of another version may say something else. */
function readWord(said: string): Word | undefined {
  try {
    const { from, given } = JSON.parse(said)
    return typeof from === 'string' && Array.isArray(given) && given.every(isGiven)
      ? { from, given }
      : undefined
  } catch {
    return undefined
  }
}

const isGiven = (given: unknown): boolean =>
  Array.isArray(given) && typeof given[1] === 'string' && Number.isInteger(given[2]) && given[2] > 0
