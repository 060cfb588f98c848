import { after } from '../../../base/clock.ts'
import { errorData } from '../../../base/log.ts'
import type { Context } from '../../../context.ts'
import { endpointText } from '../../endpoint.ts'
import { WEBHOOKS } from '../../schedule.ts'
import type { Claimed } from '../claim-store.ts'
import { releaseLease } from '../end-store.ts'
import { sendLeased } from '../sender.ts'
import { sending } from '../sending.ts'
import { SENDING } from '../topics.ts'
import { recordSoon } from './record.ts'
import type { SlotGrant } from './slot-grant.ts'
import { grantSlots } from './slot-grant-store.ts'
import { type Chain, nextLeaseToken, nodeTokenOf } from './state.ts'

/**
 * Deliveries without a claim. The statement that writes events leases their deliveries to this node, which
 * then sends the bodies that it holds: those of one payment in order, the next when the last is acknowledged.
 * After a failure the rest is left to claims. Decision 0125 has a diagram.
 */

/** How the statement leases the deliveries that it writes. */
export interface DirectLease {
  readonly leaseToken: string
  readonly leaseEnd: Date
  readonly endpoint: string
}

/** The payment whose events are about to be written. */
export interface EventSource {
  readonly appId: string
  readonly paymentId: number
  readonly webhookUrl: string | null
}

export interface WrittenDelivery {
  readonly sequence: number
  readonly body: string
}

export interface DirectWrite {
  readonly lease: DirectLease
  /** The statement has ended and leased these deliveries. */
  end(leased: readonly WrittenDelivery[]): void
  /** The statement failed, possibly after its commit: what it leased is unknown. */
  fail(): void
}

/** Undefined: this node does not send, or has no free slot. The deliveries are claimed then. */
export function openDirectWrite(ctx: Context, payment: EventSource): DirectWrite | undefined {
  const chain = chainOf(ctx, payment)
  if (!chain) return undefined
  const { appId, endpoint, leaseToken } = chain
  const { paymentId, webhookUrl: url } = payment
  const leaseEnd = after(ctx.clock.now(), WEBHOOKS.leaseMs)
  const common = {
    appId,
    paymentId,
    url,
    endpoint,
    endpointId: 0,
    leaseToken,
    leaseEnd,
    tries: 0,
    crowded: false,
    borrowed: true,
  }
  chain.writes++
  const end = (leased: readonly WrittenDelivery[]) => {
    chain.writes--
    for (const { sequence, body } of leased)
      chain.waiting.push({ ...common, sequence, body, type: 'payment.state_changed' })
    // The answers of two statements may arrive in either order.
    chain.waiting.sort((one, other) => one.sequence - other.sequence)
    proceed(ctx, chain)
  }
  return {
    lease: { leaseToken, leaseEnd, endpoint },
    end,
    fail() {
      chain.isBroken = true
      end([])
    },
  }
}

/** The payment's chain; a new one if there is none. */
function chainOf(ctx: Context, { appId, paymentId, webhookUrl }: EventSource): Chain | undefined {
  const { direct, stopping } = sending(ctx)
  if (ctx.config.role === 'web' || stopping.signal.aborted) return undefined
  const key = `${appId}\n${paymentId}`
  const chain = direct.chains.get(key) ?? newChain(ctx, { appId, endpoint: endpointText(webhookUrl), key })
  if (chain.isBroken || !expectsSlot(ctx, chain)) return undefined
  direct.chains.set(key, chain)
  return chain
}

function newChain(ctx: Context, of: Pick<Chain, 'appId' | 'endpoint' | 'key'>): Chain {
  const idle = { writes: 0, runs: 0, isWaitingForSlot: false, isSending: false, isBroken: false }
  return { ...of, ...idle, leaseToken: nextLeaseToken(sending(ctx).direct, ctx.random), waiting: [] }
}

function expectsSlot(ctx: Context, chain: Chain): boolean {
  const { appId, endpoint } = chain
  const { direct } = sending(ctx)
  if (!mayStart(ctx, chain)) return false
  const slots = { appId, endpoint, nodeToken: nodeTokenOf(direct, ctx.random), now: ctx.clock.now() }
  return direct.grants.expectsSlot(chain, {
    request: (until, kept) => grantSlots(ctx.db, { ...slots, until, kept }),
    onError: (error) => ctx.log.debug('webhook.grant_failed', errorData(error)),
  })
}

function mayStart(ctx: Context, chain: Chain): boolean {
  const { shares, direct } = sending(ctx)
  return shares.mayStart(chain.appId, direct.grants.find(chain)?.used)
}

/** Sends what waits. A statement under way may have written an earlier event: its end is waited for. */
function proceed(ctx: Context, chain: Chain): void {
  if (chain.isSending || chain.isWaitingForSlot || chain.writes > 0) return
  if (chain.waiting.length === 0) close(ctx, chain)
  else if (chain.isBroken) leaveRest(ctx, chain)
  else {
    chain.isWaitingForSlot = true
    const grant = sending(ctx).direct.grants.find(chain)
    if (grant) grant.takeSlot((hasSlot) => onTurn(ctx, chain, hasSlot ? grant : undefined))
    else onTurn(ctx, chain, undefined)
  }
}

/** With a grant whose slot it has, or without. */
function onTurn(ctx: Context, chain: Chain, grant: SlotGrant | undefined): void {
  const { stopping, track } = sending(ctx)
  chain.isWaitingForSlot = false
  if (grant && mayStart(ctx, chain) && !stopping.signal.aborted) track(chain, run(ctx, chain, grant))
  else {
    chain.isBroken = true
    grant?.freeSlot()
    proceed(ctx, chain)
  }
}

async function run(ctx: Context, chain: Chain, grant: SlotGrant): Promise<void> {
  const { shares } = sending(ctx)
  shares.enter(chain.appId)
  chain.isSending = true
  chain.runs++
  const ends: Promise<void>[] = []
  while (chain.writes === 0 && !chain.isBroken) {
    const [next] = chain.waiting
    if (!next) break
    if (isLate(ctx, next)) {
      chain.isBroken = true
      break
    }
    chain.waiting.shift()
    const { acknowledged, ended } = send(ctx, next)
    ends.push(ended)
    if (!(await acknowledged)) chain.isBroken = true
  }
  chain.isSending = false
  shares.leave(chain.appId)
  if (chain.isBroken) grant.refuseWaiting()
  grant.freeSlot()
  proceed(ctx, chain)
  await Promise.all(ends)
  chain.runs--
  proceed(ctx, chain)
}

/** The lease could end before a reply arrives. */
const isLate = ({ clock }: Context, { leaseEnd }: Claimed): boolean =>
  after(clock.now(), WEBHOOKS.timeoutMs) > leaseEnd

/** `acknowledged` is known before the result is recorded. */
function send(ctx: Context, delivery: Claimed) {
  let ended = Promise.resolve()
  const acknowledged = new Promise<boolean>((resolve) => {
    const onAcknowledged = () => resolve(true)
    const record = recordSoon(ctx)
    ended = sendLeased(ctx, delivery, { onAcknowledged, record }).then(() => resolve(false))
  })
  return { acknowledged, ended }
}

/** After a failure: what this node does not send is claimed. */
function leaveRest(ctx: Context, chain: Chain): void {
  const [first] = chain.waiting.splice(0)
  if (first) sending(ctx).track(chain, releaseRest(ctx, first))
  close(ctx, chain)
}

async function releaseRest(ctx: Context, first: Claimed): Promise<void> {
  await releaseLease(ctx.db, first, ctx.clock.now()).catch((error) =>
    // They are claimed when their lease ends.
    ctx.log.warn('webhook.release_failed', errorData(error)),
  )
  ctx.signals.wake(SENDING)
}

/** Forgets the chain when all results are recorded. */
function close(ctx: Context, chain: Chain): void {
  if (chain.runs === 0) sending(ctx).direct.chains.delete(chain.key)
}
