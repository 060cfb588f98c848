import { SECOND } from '../../src/base/clock.ts'
import type { Http, HttpCall, HttpReply } from '../../src/net/http.ts'
import { PUBLIC_URL } from './node.ts'
import type { World } from './world.ts'

export const BANK_URL = 'http://bank.sim'

/** What can happen to a call between two companies, each with its rate in this seed. */
export interface LineRates {
  readonly refused: number
  readonly requestLost: number
  readonly replyLost: number
  readonly serverError: number
  readonly garbled: number
  readonly duplicated: number
  readonly late: number
}

/** Longer than any client waits. */
const LATE_MS = 25 * SECOND

/** The network as this node sees it. The bank is called as it would be; the line does what lines do. */
export function simulatedHttp(world: World, who: string): Http {
  return { call: (call) => carry(world, who, call) }
}

async function carry(world: World, who: string, call: HttpCall): Promise<HttpReply> {
  const { dice, turnstile } = world
  const rates = world.lineRates()
  await turnstile.pass(who, async () => {})
  if (dice.chance(rates.refused)) return { kind: 'not-sent', cause: 'ECONNREFUSED' }
  if (dice.chance(rates.requestLost)) return timedOut(world)
  if (dice.chance(rates.late)) {
    // It arrives when nobody waits for the answer any more.
    void world.clock.sleep(2 * LATE_MS).then(() => deliver(world, call))
    return timedOut(world)
  }
  if (dice.chance(rates.duplicated)) void deliver(world, call)
  const reply = await deliver(world, call)
  await turnstile.pass(who, async () => {})
  if (dice.chance(rates.replyLost)) return timedOut(world)
  if (dice.chance(rates.garbled)) return { kind: 'no-answer', why: 'unreadable-reply', cause: 'garbled' }
  if (dice.chance(rates.serverError)) return { kind: 'reply', status: 502, headers: {}, body: undefined }
  return reply
}

async function timedOut(world: World): Promise<HttpReply> {
  await world.clock.sleep(LATE_MS)
  return { kind: 'no-answer', why: 'timeout', cause: 'timeout' }
}

function deliver(world: World, call: HttpCall): Promise<HttpReply> {
  return call.url.startsWith(BANK_URL) ? atTheBank(world, call) : atTheService(world, call)
}

async function atTheBank({ sandbox }: World, call: HttpCall): Promise<HttpReply> {
  const answer = await sandbox.bank.answer({
    method: call.method,
    url: call.url.slice(BANK_URL.length),
    authorization: call.headers?.authorization,
    idempotencyKey: call.headers?.['idempotency-key'],
    body: async () => call.text ?? (call.json === undefined ? '' : JSON.stringify(call.json)),
  })
  return {
    kind: 'reply',
    status: answer.status,
    headers: { 'content-type': 'application/json' },
    body: answer.body === '' ? undefined : JSON.parse(answer.body),
  }
}

/** The bank's notifications: to whichever node lives, sometimes altered by a stranger on the way. */
async function atTheService(world: World, call: HttpCall): Promise<HttpReply> {
  const node = world.anyNode()
  const body = call.text ?? JSON.stringify(call.json)
  const url = call.url.slice(PUBLIC_URL.length)
  if (world.dice.chance(world.rates.forged)) {
    const forged = body.replace('"type"', '"forged":1,"type"')
    await node.request(call.method, url, { body: forged, headers: call.headers ?? {} })
  }
  const reply = await node.request(call.method, url, { body, headers: call.headers ?? {} })
  if (!reply) return { kind: 'no-answer', why: 'connection-lost', cause: 'died' }
  return { kind: 'reply', status: reply.status, headers: {}, body: reply.body }
}
