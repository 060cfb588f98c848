import type { Span } from '@opentelemetry/api'
import { ended, statementSpan, type Tracer } from '../base/tracing/tracer.ts'
import { type BatchStatement, DatabaseAwayError, isDataError, isDeadlock, type Numbered } from './database.ts'

/**
 * Group commit. Inputs that arrive while a batch is being written are queued and written as the next batch:
 * one statement, one commit and one flush to disk for up to 64 of them. An idle lane starts at the end of the
 * current turn of the event loop, so a single input is not delayed. Decision 0004.
 */
const MAX_ROWS = 64
const LANES = 2
/** Tries of a single row that PostgreSQL cancels to resolve a deadlock. */
const MAX_TRIES = 5
/** When the database is away and a statement fails after this long, the inputs queued behind it fail too. */
const HANGING_MS = 1_000

type Run = <Row>(statement: BatchStatement<never, Row>, json: string) => Promise<Numbered<Row>[]>

interface Waiting {
  readonly input: unknown
  readonly key: string | undefined
  readonly resolve: (row: never) => void
  readonly reject: (error: unknown) => void
  /** From here to the result: the wait for a lane, and the statement. */
  readonly span: Span | undefined
}

interface Queue {
  waiting: Waiting[]
  running: number
  scheduled: boolean
  /** Since the start. */
  batches: number
  /** In those batches. */
  inputs: number
}

/** By the name of the statement. */
export type LaneQueues = Map<string, Queue>

interface LanesOptions {
  readonly queues?: LaneQueues
  readonly tracer?: Tracer | undefined
}

export function createLanes(run: Run, { queues = new Map(), tracer }: LanesOptions = {}) {
  return function batch<Input, Row>(
    statement: BatchStatement<Input, Row>,
    input: Input,
  ): Promise<Row | undefined> {
    const queue = queues.get(statement.name) ?? newQueue()
    queues.set(statement.name, queue)
    const span = tracer?.start({ name: `lane ${statement.name}` })
    const row = new Promise<Row | undefined>((resolve, reject) => {
      queue.waiting.push({ input, key: statement.key?.(input), resolve, reject, span })
      schedule(statement, queue)
    })
    return span ? ended(span, row) : row
  }

  function schedule<Input, Row>(statement: BatchStatement<Input, Row>, queue: Queue) {
    if (queue.scheduled || queue.running >= LANES || queue.waiting.length === 0) return
    queue.scheduled = true
    setImmediate(() => {
      queue.scheduled = false
      const group = takeDistinct(queue)
      queue.running++
      queue.batches++
      queue.inputs += group.length
      write(statement, group).finally(() => {
        queue.running--
        schedule(statement, queue)
      })
      schedule(statement, queue)
    })
  }

  async function write<Input, Row>(
    statement: BatchStatement<Input, Row>,
    group: readonly Waiting[],
    tries = 1,
  ): Promise<void> {
    const startMs = performance.now()
    try {
      const sent = () => run(statement as never, arrayOf(statement, group))
      const rows = await inBatchSpan(tracer, statement.name, group, sent)
      const found = new Map(rows.map(({ n, row }) => [n, row]))
      for (const [n, one] of group.entries()) one.resolve(found.get(n) as never)
    } catch (error) {
      if (group.length > 1 && (isDataError(error) || isDeadlock(error))) {
        // One bad row or a deadlock failed the statement for all. Nothing was written, so write each alone.
        for (const one of group) await write(statement, [one])
      } else if (isDeadlock(error) && tries < MAX_TRIES) {
        await write(statement, group, tries + 1)
      } else {
        const isHanging = error instanceof DatabaseAwayError && performance.now() - startMs > HANGING_MS
        const behind = isHanging ? (queues.get(statement.name)?.waiting.splice(0) ?? []) : []
        for (const one of [...group, ...behind]) one.reject(error)
      }
    }
  }
}

/**
 * The statement of a batch is in the trace of its first sampled input. It has links to all of them, and the
 * others have links to it.
 */
function inBatchSpan<T>(
  tracer: Tracer | undefined,
  name: string,
  group: readonly Waiting[],
  work: () => Promise<T>,
): Promise<T> {
  const waits = group.flatMap(({ span }) => span ?? [])
  const [first, ...others] = waits
  const links = others.length > 0 ? waits : []
  const span = first && tracer?.start({ ...statementSpan(name, group.length), parent: first, links })
  if (!span) return work()
  for (const wait of others) wait.addLink({ context: span.spanContext() })
  return ended(span, work())
}

const newQueue = (): Queue => ({ waiting: [], running: 0, scheduled: false, batches: 0, inputs: 0 })

function arrayOf<Input, Row>(statement: BatchStatement<Input, Row>, group: readonly Waiting[]): string {
  let json = '['
  for (const [n, one] of group.entries())
    json += `${n === 0 ? '' : ','}{"n":${n},${statement.encode(one.input as Input).slice(1)}`
  return `${json}]`
}

/** Takes the next inputs in order, at most 64, with distinct keys. The others keep their position. */
function takeDistinct(queue: Queue): Waiting[] {
  const keys = new Set<string>()
  const group: Waiting[] = []
  const rest: Waiting[] = []
  for (const one of queue.waiting) {
    const isFree = one.key === undefined || !keys.has(one.key)
    if (group.length < MAX_ROWS && isFree) {
      if (one.key !== undefined) keys.add(one.key)
      group.push(one)
    } else {
      rest.push(one)
    }
  }
  queue.waiting = rest
  return group
}
