import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Route } from '../route.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { holdPlace } from './held-place.ts'

/**
 * Admits a request with a large body before the body is read. Such a body is in memory as a whole, and what
 * it is parsed to takes several times as much: without a bound some dozens of them at once, from one caller,
 * would end the process for all. Decision 0250.
 */
export type LargeBodies = (request: FastifyRequest, reply: FastifyReply, route: Route) => Promise<void>

const REFUSAL = 'Other files are being received. Send one after the other, and try again in a second.'
const common = { waitMs: LIMITS.largeBodyWaitMs, refusal: REFUSAL } as const

export function createLargeBodies(clock: Clock): LargeBodies {
  const ofCaller = createConcurrencyLimit(clock, { ...common, atOnce: 1, waiting: LIMITS.largeBodiesWaiting })
  const { largeBodiesAtOnce: atOnce, largeBodiesWaiting: waiting } = LIMITS
  const ofNode = createConcurrencyLimit(clock, { ...common, atOnce, waiting })

  async function enter(subject: string): Promise<() => void> {
    const leaveCaller = await ofCaller.enter(subject)
    try {
      const leaveNode = await ofNode.enter('')
      return () => {
        leaveNode()
        leaveCaller()
      }
    } catch (error) {
      leaveCaller()
      throw error
    }
  }

  return async (request, reply, { largeBody }) => {
    if (!isLarge(request)) return
    const { params, headers, tender } = request
    const { network, scope = network } = tender
    const sender = await largeBody?.({ params: params as Record<string, string>, headers, network })
    if (sender?.location !== undefined)
      return void reply.code(303).header('location', sender.location).send('')
    tender.place = holdPlace(reply.raw, await enter(sender?.subject ?? scope))
  }
}

/** A body whose length is not told may have any. */
const isLarge = ({ headers }: FastifyRequest): boolean => {
  const length = headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? '0' : undefined)
  return length === undefined || Number(length) > LIMITS.bodyBytes
}
