import type { Clock } from '../../../base/clock.ts'
import { newLeaseToken, type Random } from '../../../base/ids.ts'
import type { Claimed } from '../claim-store.ts'
import type { Ended, Ending } from '../end-store.ts'
import { createSlotGrants, type SlotGrants } from './slot-grants.ts'

/** What a node keeps for the deliveries that it sends without a claim. */
export interface DirectState {
  /** By app and payment. */
  readonly chains: Map<string, Chain>
  readonly grants: SlotGrants
  /** Acknowledged deliveries that wait to be recorded together. */
  unrecorded: Recording[]
  /** Names this node in slot grants and lease tokens. */
  nodeToken: string | undefined
  leases: number
}

/** The deliveries of one payment that this node sends, one after the other. */
export interface Chain {
  readonly appId: string
  readonly endpoint: string
  /** The key of the payment in `chains`. */
  readonly key: string
  readonly leaseToken: string
  readonly waiting: Claimed[]
  /** Statements under way that may add to it. */
  writes: number
  /** Runs that have not recorded all of their results. */
  runs: number
  /** Whether it waits for a slot of the endpoint. */
  isWaitingForSlot: boolean
  /** Whether it holds a slot of the endpoint and one of the app's share. */
  isSending: boolean
  /** A try or a write failed: the rest is left to claims. */
  isBroken: boolean
}

interface Recording {
  readonly ending: Ending
  readonly resolve: (ended: Ended | undefined) => void
  readonly reject: (error: unknown) => void
}

export const createDirectState = (clock: Clock): DirectState => ({
  chains: new Map(),
  grants: createSlotGrants(clock),
  unrecorded: [],
  nodeToken: undefined,
  leases: 0,
})

export function nodeTokenOf(direct: DirectState, random: Random): string {
  direct.nodeToken ??= newLeaseToken(random)
  return direct.nodeToken
}

/** Each lease has a number, so that each is a fence of its own. */
export const nextLeaseToken = (direct: DirectState, random: Random): string =>
  `${nodeTokenOf(direct, random)}.${++direct.leases}`
