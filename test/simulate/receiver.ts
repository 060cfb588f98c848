import { SECOND } from '../../src/base/clock.ts'
import type { Post, PostReply } from '../../src/net/post.ts'
import type { World } from './world.ts'

/** A webhook that a merchant's shop has read. */
export interface Received {
  readonly url: string
  readonly eventId: string
  readonly paymentId: number
  readonly sequence: number
  readonly body: string
}

const SILENCE_MS = 15 * SECOND

/** The merchants' shops: sometimes down, sometimes slow to say that they have heard. */
export function simulatedPost(world: World, who: string): Post {
  return { send: (posting) => post(world, who, posting), close: async () => {} }
}

async function post(
  world: World,
  who: string,
  { url, body }: { url: string; body: string },
): Promise<PostReply> {
  const { turnstile } = world
  await turnstile.pass(who, async () => {})
  if (world.strikes('receiver silent')) return silence(world)
  if (world.strikes('receiver 5xx')) return { kind: 'reply', status: 500, retryAfter: undefined, text: 'no' }
  const { eventId, sequence, payment } = JSON.parse(body)
  world.received.push({ url, eventId, sequence, paymentId: payment.paymentId, body })
  await turnstile.pass(who, async () => {})
  if (world.strikes('receiver answer lost')) return silence(world)
  return { kind: 'reply', status: 200, retryAfter: undefined, text: 'ok' }
}

async function silence(world: World): Promise<PostReply> {
  await world.clock.sleep(SILENCE_MS)
  return { kind: 'no-reply', error: 'late:15' }
}
