import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '../../base/clock.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { SAFE_HEADERS } from '../../http/answer.ts'
import { watchPayment } from '../../payments/live/watch.ts'
import { createPageLimits } from '../limits.ts'
import { stepUrl } from './rules/step.ts'
import { currentStep, findVisit } from './visit.ts'

/**
 * Live updates: `…/events` streams server-sent events, `…/state` serves polling clients. Both tell only the
 * path of the current page and a version, nothing else about the payment.
 */
interface Live {
  readonly at: string
  readonly version: number
}

/** Proxies close idle connections; a periodic comment keeps them open. */
const KEEP_ALIVE_MS = 15 * SECOND
/** Maximum lifetime of a stream. The browser reconnects by itself. */
const MAX_STREAM_MS = 600 * SECOND

export function addLiveRoutes(app: FastifyInstance, ctx: Context): void {
  const streams = createStreams(ctx)
  const limits = createPageLimits(ctx, 'live')
  const findLive = async (request: KeyRequest): Promise<Live | undefined> => {
    const client = { network: request.tender.network, isPost: false }
    const live = await liveOf(ctx, request)
    if (live) limits.found(client, request.params.paymentKey)
    else limits.unknown(client)
    return live
  }
  app.addHook('preClose', async () => streams.endAll())
  app.get<KeyRoute>(
    '/c/:paymentKey/state',
    { config: { template: '/c/{paymentKey}/state', hasOwnLimit: true } },
    async (request, reply) => {
      const live = await findLive(request)
      return live ? reply.send(live) : reply.code(404).send({})
    },
  )
  app.get<KeyRoute>(
    '/c/:paymentKey/events',
    { config: { template: '/c/{paymentKey}/events', hasOwnLimit: true } },
    async (request, reply) => {
      const live = await findLive(request)
      if (!live) return reply.code(404).send({})
      return streams.open(request, reply)
    },
  )
}

interface KeyRoute {
  Params: { paymentKey: string }
}
type KeyRequest = FastifyRequest<KeyRoute>

async function liveOf(ctx: Context, { params }: KeyRequest): Promise<Live | undefined> {
  const visit = await findVisit(ctx, { paymentKey: params.paymentKey })
  if (!visit) return undefined
  const { payment, base } = visit
  return { at: stepUrl(base, await currentStep(ctx, visit), payment.attempt), version: payment.version }
}

function createStreams(ctx: Context) {
  const open = new Map<string, Set<AbortController>>()

  async function stream(request: KeyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { paymentKey } = request.params
    const visit = await findVisit(ctx, { paymentKey })
    const ofPayment = open.get(paymentKey) ?? new Set()
    if (!visit || ofPayment.size >= LIMITS.liveStreams) return reply.code(429).send({})
    const ended = new AbortController()
    open.set(paymentKey, ofPayment.add(ended))
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      ...SAFE_HEADERS,
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': request.id,
      'x-accel-buffering': 'no',
    })
    request.raw.on('close', () => ended.abort())
    ended.signal.addEventListener('abort', () => {
      ofPayment.delete(ended)
      if (ofPayment.size === 0) open.delete(paymentKey)
      raw.end()
    })
    const send = () =>
      ctx.background.keep(
        'live-page',
        writeLive(request, (text) => raw.write(text)),
        visit.app.appId,
      )
    watchPayment(ctx, visit.payment, send, ended.signal)
    send()
    void keepAlive(raw, ended)
    return reply
  }

  async function writeLive(request: KeyRequest, write: (text: string) => void): Promise<void> {
    const live = await liveOf(ctx, request)
    if (live) write(`data: ${JSON.stringify(live)}\n\n`)
  }

  async function keepAlive(raw: FastifyReply['raw'], ended: AbortController): Promise<void> {
    const deadlineMs = ctx.clock.now().getTime() + MAX_STREAM_MS
    while (!ended.signal.aborted && ctx.clock.now().getTime() < deadlineMs) {
      await ctx.clock.sleep(KEEP_ALIVE_MS, ended.signal)
      if (!ended.signal.aborted) raw.write(':\n\n')
    }
    ended.abort()
  }

  return {
    open: stream,
    endAll() {
      for (const ofPayment of open.values()) for (const ended of ofPayment) ended.abort()
    },
  }
}
