import { SECOND } from '../../src/base/clock.ts'
import type { Http, HttpCall, HttpReply } from '../../src/net/http.ts'
import { SIGNATURE_HEADER } from '../../src/sandbox/adapter/signature.ts'
import { PUBLIC_URL } from './node.ts'
import { atTheProvider } from './provider.ts'
import type { World } from './world.ts'

export const BANK_URL = 'http://bank.sim'

/** Longer than any client waits. */
const SILENCE_MS = 25 * SECOND
/** Shorter than any client waits, and long enough to be overtaken. */
const HELD_BACK_MS = 4 * SECOND

/** The network as this node sees it. The bank is called as it would be; the line does what lines do. */
export function simulatedHttp(world: World, who: string): Http {
  return { call: (call) => carry(world, who, call) }
}

async function carry(world: World, who: string, call: HttpCall): Promise<HttpReply> {
  const { turnstile, clock, dice } = world
  await turnstile.pass(who, async () => {})
  if (world.strikes('request not sent')) return { kind: 'not-sent', cause: 'ECONNREFUSED' }
  if (world.strikes('request lost')) return timedOut(world)
  if (world.strikes('late')) {
    arriveLate(world, call)
    return timedOut(world)
  }
  if (world.strikes('5xx before effect')) return BROKEN
  if (isProvider(world, call) && world.strikes('rate limited')) return RATE_LIMITED
  if (isProvider(world, call) && world.strikes('key refused')) return KEY_REFUSED
  if (world.strikes('reordered')) await clock.sleep(dice.next() * HELD_BACK_MS)
  const mayBeDoubled = call.method === 'GET' || world.provider?.isKeyless !== true
  if (world.strikes('duplicate') && mayBeDoubled) void deliver(world, call)
  const reply = await deliver(world, call)
  await turnstile.pass(who, async () => {})
  if (world.strikes('timeout after effect')) return timedOut(world)
  if (world.strikes('lost answer')) return { kind: 'no-answer', why: 'connection-lost', cause: 'ECONNRESET' }
  if (world.strikes('unreadable answer'))
    return { kind: 'no-answer', why: 'unreadable-reply', cause: 'garbled' }
  return world.strikes('5xx after effect') ? BROKEN : reply
}

function arriveLate(world: World, call: HttpCall): void {
  const { clock, underWay } = world
  const arrival = clock
    .sleep(2 * SILENCE_MS)
    .then(() => deliver(world, call))
    .finally(() => underWay.delete(arrival))
  underWay.add(arrival)
}

/** A connection ends long before an hour: what is under way arrives before so much time passes. */
export async function letArrive({ underWay, until }: World, pauseMs: number): Promise<void> {
  if (pauseMs > 2 * SILENCE_MS) await until(Promise.all(underWay))
}

const isProvider = ({ provider }: World, { url }: HttpCall): boolean =>
  url.startsWith(BANK_URL) || (provider !== undefined && url.startsWith(provider.origin))

const RATE_LIMITED: HttpReply = { kind: 'reply', status: 429, headers: {}, body: undefined }
const KEY_REFUSED: HttpReply = { kind: 'reply', status: 401, headers: {}, body: undefined }
const RECEIVED: HttpReply = { kind: 'reply', status: 200, headers: {}, body: undefined }
const BROKEN: HttpReply = { kind: 'reply', status: 502, headers: {}, body: undefined }

async function timedOut({ clock }: World): Promise<HttpReply> {
  await clock.sleep(SILENCE_MS)
  return { kind: 'no-answer', why: 'timeout', cause: 'timeout' }
}

function deliver(world: World, call: HttpCall): Promise<HttpReply> {
  const { provider } = world
  if (provider && call.url.startsWith(provider.origin)) return atTheProvider(provider, call)
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

/** Notifications: to any node that lives, sometimes with a stranger's before the real one. */
async function atTheService(world: World, call: HttpCall): Promise<HttpReply> {
  const node = world.anyNode()
  const url = call.url.slice(PUBLIC_URL.length)
  const sent = { body: call.text ?? JSON.stringify(call.json), headers: call.headers ?? {} }
  // Of a dispute or of a refund that came back nobody hears in any other way.
  const { provider } = world
  const mayBeLost = provider
    ? !provider.isNotificationOnly && !provider.mustArrive.has(sent.body)
    : sent.body.includes('"type":"payment.')
  if (mayBeLost && world.strikes('lost notification')) return RECEIVED
  if (world.strikes('forged notification')) await node.request(call.method, url, forged(world, sent))
  const reply = await node.request(call.method, url, sent)
  if (!reply) return { kind: 'no-answer', why: 'connection-lost', cause: 'died' }
  return { kind: 'reply', status: reply.status, headers: {}, body: reply.body }
}

interface Sent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Other words under a real signature, or the real words under a signature of the stranger's own. */
function forged({ dice }: World, { body, headers }: Sent): Sent {
  if (dice.chance(0.5)) return { body: body.replace(/"(event_)?type"/, '"forged":1,$&'), headers }
  const signatures = Object.keys(headers).filter((name) => SIGNATURES.includes(name))
  const own = signatures.map((name) => [name, name.endsWith('-sig') ? 'QUFB' : WRONG])
  return { body, headers: { ...headers, ...Object.fromEntries(own) } }
}

const WRONG = `t=1,v1=${'0'.repeat(64)}`
const SIGNATURES: readonly string[] = [
  ...[SIGNATURE_HEADER, 'stripe-signature', 'paypal-transmission-sig', 'x-anet-signature'],
]
