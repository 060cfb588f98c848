import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { SAFE_HEADERS } from '../../http/answer.ts'
import { createPageLimits } from '../kit/request/limits.ts'
import { createLiveStreams, STREAM_HEADERS, STREAM_TYPE } from '../kit/request/live-streams.ts'
import { type CheckoutRequest, currentStep, findCheckout } from './request.ts'
import { stepUrl } from './rules/step.ts'

/**
 * Live updates: `…/events` streams server-sent events, `…/state` serves polling clients. Both tell only the
 * path of the current page and a version, nothing else about the payment.
 */
interface Live {
  readonly at: string
  readonly version: number
}

export function addLiveRoutes(app: FastifyInstance, ctx: Context): void {
  const streams = createLiveStreams(ctx, app)
  const limits = createPageLimits(ctx, 'live')
  const findLimited = async (request: KeyRequest) => {
    const client = { network: request.tender.network, isPost: false }
    const checkout = await findCheckout(ctx, { paymentKey: request.params.paymentKey })
    if (checkout) limits.found(client, request.params.paymentKey)
    else limits.unknown(client).keep()
    return checkout
  }
  app.get<KeyRoute>(
    '/c/:paymentKey/state',
    { config: { template: '/c/{paymentKey}/state', hasOwnLimit: true } },
    async (request, reply) => {
      const checkout = await findLimited(request)
      return checkout ? reply.send(await liveOf(ctx, checkout)) : reply.code(404).send({})
    },
  )
  app.get<KeyRoute>(
    '/c/:paymentKey/events',
    { config: { template: '/c/{paymentKey}/events', hasOwnLimit: true } },
    async (request, reply) => {
      const checkout = await findLimited(request)
      if (!checkout) return reply.code(404).send({})
      const { paymentKey } = request.params
      const message = async () => {
        const current = await findCheckout(ctx, { paymentKey })
        return current && liveOf(ctx, current)
      }
      const stream = streams.open({ owner: paymentKey, payment: checkout.payment, message })
      if (!stream) return reply.code(429).send({})
      return reply
        .headers({ ...SAFE_HEADERS, ...STREAM_HEADERS })
        .type(STREAM_TYPE)
        .send(stream)
    },
  )
}

interface KeyRoute {
  Params: { paymentKey: string }
}
type KeyRequest = FastifyRequest<KeyRoute>

async function liveOf(ctx: Context, checkout: CheckoutRequest): Promise<Live> {
  const { payment, base } = checkout
  return { at: stepUrl(base, await currentStep(ctx, checkout), payment.attempt), version: payment.version }
}
