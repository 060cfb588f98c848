import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '../../../base/clock.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Context } from '../../../context.ts'
import { watchPayment } from '../../../payments/live/watch.ts'
import type { Payment } from '../../../payments/payment.ts'

/** Server-sent events about one payment, for pages that are open. */
export interface LiveStreams {
  /** Undefined: the owner has as many streams open as it may have. */
  open(watched: WatchedPage): Readable | undefined
}

interface WatchedPage {
  /** Whose number of streams is bounded: a payment link, or a person. */
  readonly owner: string
  readonly payment: Pick<Payment, 'appId' | 'paymentId'>
  /** The data of an event, read after each change. Undefined: none is sent. */
  message(): Promise<object | undefined>
}

export const STREAM_TYPE = 'text/event-stream; charset=utf-8'
/** Proxies must pass each event on at once. */
export const STREAM_HEADERS = { 'x-accel-buffering': 'no' } as const

/** Proxies close idle connections; a periodic comment keeps them open. */
const KEEP_ALIVE_MS = 15 * SECOND
/** Maximum lifetime of a stream. The browser reconnects by itself. */
const MAX_STREAM_MS = 600 * SECOND
/** A client that does not read is disconnected. */
const MAX_WAITING_BYTES = 64 * 1024

/** All streams end when the server closes. */
export function createLiveStreams(ctx: Context, app: FastifyInstance): LiveStreams {
  const streams = new Map<string, Set<AbortController>>()
  app.addHook('preClose', async () => {
    for (const ofOwner of streams.values()) for (const ended of ofOwner) ended.abort()
  })

  function open({ owner, payment, message }: WatchedPage): Readable | undefined {
    const ofOwner = streams.get(owner) ?? new Set()
    if (ofOwner.size >= LIMITS.liveStreams) return undefined
    const ended = new AbortController()
    streams.set(owner, ofOwner.add(ended))
    const stream = new Readable({ read() {} })
    stream.once('close', () => ended.abort())
    ended.signal.addEventListener('abort', () => {
      ofOwner.delete(ended)
      if (ofOwner.size === 0) streams.delete(owner)
      if (!stream.destroyed) stream.push(null)
    })
    const write = (text: string) => {
      if (ended.signal.aborted) return
      if (stream.readableLength > MAX_WAITING_BYTES) ended.abort()
      else stream.push(text)
    }
    const send = async () => {
      const data = await message()
      if (data) write(`data: ${JSON.stringify(data)}\n\n`)
    }
    const keepSending = () => ctx.background.keep('live-page', send(), payment.appId)
    watchPayment(ctx, payment, keepSending, ended.signal)
    keepSending()
    void keepAlive(ctx, write, ended)
    return stream
  }

  return { open }
}

async function keepAlive(ctx: Context, write: (text: string) => void, ended: AbortController): Promise<void> {
  const deadlineMs = ctx.clock.now().getTime() + MAX_STREAM_MS
  while (!ended.signal.aborted && ctx.clock.now().getTime() < deadlineMs) {
    await ctx.clock.sleep(KEEP_ALIVE_MS, ended.signal)
    write(':\n\n')
  }
  ended.abort()
}
