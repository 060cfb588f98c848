import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { createSpanQueue, type SpanResult } from './queue.ts'

type Answer = (result: { code: number }) => void

/** A collector that answers when the test tells it to. */
function queueing(sleep: typeof systemClock.sleep = systemClock.sleep) {
  const sent: { spans: number; answer: Answer }[] = []
  const counts: Record<SpanResult, number> = { exported: 0, dropped: 0, failed: 0 }
  const queue = createSpanQueue({
    exporter: {
      export: (spans, answer) => void sent.push({ spans: spans.length, answer }),
      shutdown: async () => {},
    },
    clock: { sleep },
    counted: (result, spans) => {
      counts[result] += spans
    },
  })
  const end = (spans: number) => {
    for (let n = 0; n < spans; n++) queue.onEnd({} as ReadableSpan)
  }
  return { queue, sent, counts, end }
}

it('sends in small batches, one after the other', async () => {
  const { queue, sent, counts, end } = queueing()
  end(200)
  const flushed = queue.forceFlush()
  expect(sent.map(({ spans }) => spans)).toEqual([128])
  sent[0]?.answer({ code: 0 })
  await expect.poll(() => sent.length).toBe(2)
  sent[1]?.answer({ code: 1 })
  await flushed
  expect(counts).toEqual({ exported: 128, dropped: 0, failed: 72 })
  await queue.stop()
})

it('drops and counts what does not fit while the collector does not answer', async () => {
  const { queue, sent, counts, end } = queueing(async () => {})
  end(128)
  const flushed = queue.forceFlush()
  end(4_096 + 10)
  expect(counts.dropped).toBe(10)
  await queue.stop()
  const afterStop = { exported: 0, dropped: 128 + 4_096 + 10, failed: 0 }
  expect(counts).toEqual(afterStop)
  // An answer after the stop is not counted a second time.
  sent[0]?.answer({ code: 0 })
  await flushed
  expect(counts).toEqual(afterStop)
})
