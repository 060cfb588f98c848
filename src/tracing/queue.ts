import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import { type Clock, SECOND } from '../base/clock.ts'

/** Spans that wait. More are dropped: a collector that is slow or away must not use up the memory. */
const MAX_WAITING = 4_096
/** Small, because a batch is encoded in one turn of the event loop. */
const BATCH = 128
const EVERY_MS = 250
/** A stop waits this long for the collector. */
const STOP_MS = 2 * SECOND

export type SpanResult = 'exported' | 'dropped' | 'failed'

interface QueueOptions {
  readonly exporter: Pick<SpanExporter, 'export' | 'shutdown'>
  readonly clock: Pick<Clock, 'sleep'>
  /** With the cause, when a batch failed. */
  readonly counted: (result: SpanResult, spans: number, cause?: unknown) => void
}

export interface SpanQueue extends SpanProcessor {
  /** Sends what waits, for a limited time. */
  stop(): Promise<void>
}

/**
 * Spans that ended, sent in batches, one at a time. The SDK's own queue does not tell what it drops. A batch
 * that the exporter could not send, after its own tries, is dropped.
 */
export function createSpanQueue({ exporter, clock, counted }: QueueOptions): SpanQueue {
  let waiting: ReadableSpan[] = []
  let sending: Promise<void> | undefined
  let underWay = 0
  let isStopped = false

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      underWay = batch.length
      const { result, cause } = await exported(exporter, batch)
      // After a stop it is already counted.
      if (isStopped) return
      underWay = 0
      counted(result, batch.length, cause)
    }
  }

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(() => void flush(), EVERY_MS).unref()
  const processor: SpanQueue = {
    onStart: () => {},
    onEnd(span) {
      if (waiting.length >= MAX_WAITING) counted('dropped', 1)
      else waiting.push(span)
    },
    forceFlush: flush,
    shutdown: () => processor.stop(),
    async stop() {
      clearInterval(timer)
      const over = new AbortController()
      const sent = flush().then(() => over.abort())
      await Promise.race([sent, clock.sleep(STOP_MS, over.signal)])
      isStopped = true
      counted('dropped', waiting.length + underWay)
      waiting = []
      void exporter.shutdown().catch(() => {})
    },
  }
  return processor
}

/** 0 is success. Nothing that the exporter does fails the service. */
function exported(exporter: QueueOptions['exporter'], batch: ReadableSpan[]): Promise<Exported> {
  return new Promise((resolve) => {
    try {
      exporter.export(batch, ({ code, error }) =>
        resolve(code === 0 ? { result: 'exported' } : { result: 'failed', cause: error }),
      )
    } catch (cause) {
      resolve({ result: 'failed', cause })
    }
  })
}

interface Exported {
  readonly result: SpanResult
  readonly cause?: unknown
}
