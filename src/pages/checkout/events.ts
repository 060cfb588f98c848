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
 * Where a payment's page is, told live: `…/events` as server-sent events, `…/state` once for whoever polls.
 * Only an address on our own site and a number are told, nothing about the payment.
 */
interface Live {
  readonly at: string
  readonly version: number
}

/** Proxies cut silent connections; a comment keeps them open. */
const BEAT_MS = 15 * SECOND
/** After this long a page that still waits asks again by itself. */
const LONGEST_MS = 600 * SECOND

export function addLiveRoutes(app: FastifyInstance, ctx: Context): void {
  const streams = createStreams(ctx)
  const limits = createPageLimits(ctx, 'live')
  const asked = async (request: KeyRequest): Promise<Live | undefined> => {
    const asker = { network: request.tender.network, isPost: false }
    const live = await liveOf(ctx, request)
    if (live) limits.found(asker, request.params.paymentKey)
    else limits.unknown(asker)
    return live
  }
  app.addHook('preClose', async () => streams.endAll())
  app.get<KeyRoute>(
    '/c/:paymentKey/state',
    { config: { template: '/c/{paymentKey}/state', hasOwnLimit: true } },
    async (request, reply) => {
      const live = await asked(request)
      return live ? reply.send(live) : reply.code(404).send({})
    },
  )
  app.get<KeyRoute>(
    '/c/:paymentKey/events',
    { config: { template: '/c/{paymentKey}/events', hasOwnLimit: true } },
    async (request, reply) => {
      const live = await asked(request)
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
    const mine = open.get(paymentKey) ?? new Set()
    if (!visit || mine.size >= LIMITS.liveStreams) return reply.code(429).send({})
    const ended = new AbortController()
    open.set(paymentKey, mine.add(ended))
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
      mine.delete(ended)
      if (mine.size === 0) open.delete(paymentKey)
      raw.end()
    })
    const say = () =>
      ctx.background.keep(
        'live-page',
        told(request, (text) => raw.write(text)),
        visit.app.appId,
      )
    watchPayment(ctx, visit.payment, say, ended.signal)
    say()
    void beat(raw, ended)
    return reply
  }

  async function told(request: KeyRequest, write: (text: string) => void): Promise<void> {
    const live = await liveOf(ctx, request)
    if (live) write(`data: ${JSON.stringify(live)}\n\n`)
  }

  async function beat(raw: FastifyReply['raw'], ended: AbortController): Promise<void> {
    const lastMs = ctx.clock.now().getTime() + LONGEST_MS
    while (!ended.signal.aborted && ctx.clock.now().getTime() < lastMs) {
      await ctx.clock.sleep(BEAT_MS, ended.signal)
      if (!ended.signal.aborted) raw.write(':\n\n')
    }
    ended.abort()
  }

  return {
    open: stream,
    endAll() {
      for (const streams of open.values()) for (const ended of streams) ended.abort()
    },
  }
}
