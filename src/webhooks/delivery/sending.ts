import { setMaxListeners } from 'node:events'
import type { Clock } from '../../base/clock.ts'
import { slot } from '../../node/slot.ts'
import { WEBHOOKS } from '../schedule.ts'
import type { Claimed, ClaimResult, Load } from './claim-store.ts'
import type { FreeSlots } from './direct/slot-grants.ts'
import { createDirectState, type DirectState } from './direct/state.ts'
import { createDeliveryShares, type DeliveryShares } from './shares.ts'

interface OfApp {
  readonly appId: string
}

/** The sender's state: one for each node. */
export interface SendingState {
  /** Aborts the deliveries in flight when the node stops. */
  readonly stopping: AbortController
  /** Work in flight, by app. */
  readonly inFlight: Map<OfApp, Promise<void>>
  /** Keeps the work in flight until it ends. */
  track(of: OfApp, work: Promise<void>): void
  readonly shares: DeliveryShares
  readonly positions: ReturnType<typeof createPositions>
  readonly hints: ReturnType<typeof createHints>
  /** For deliveries that are sent without a claim. */
  readonly direct: DirectState
  /** The sending job is about to be woken. */
  isWaking: boolean
}

function createSending(clock: Clock): SendingState {
  const stopping = new AbortController()
  setMaxListeners(WEBHOOKS.perNode, stopping.signal)
  const shares = createDeliveryShares()
  const inFlight: SendingState['inFlight'] = new Map()
  return {
    stopping,
    inFlight,
    track({ appId }, work) {
      const key = { appId }
      inFlight.set(
        key,
        work.finally(() => inFlight.delete(key)),
      )
    },
    shares,
    positions: createPositions(shares),
    hints: createHints(shares),
    direct: createDirectState(clock),
    isWaking: false,
  }
}

export const sending = slot('sending', ({ clock }: { readonly clock: Clock }) => createSending(clock), {
  holds: 'webhook deliveries in flight, slot grants',
  until: 'the end of each try; a slot grant ends after 20 s',
  restart: 'tries without a result: they are sent again when their lease ends',
})

/**
 * The state of this node that a claim needs: its load, and per app the last endpoint that a claim looked at.
 * One claim looks at a limited number of endpoints of an app; the next one continues behind them. After the
 * last endpoint it starts again.
 */
function createPositions(shares: DeliveryShares) {
  const positions = new Map<string, string>()
  return {
    load(free: FreeSlots): Load {
      const apps: Record<string, Load['apps'][string]> = {}
      for (const [appId, used] of shares.byApp) apps[appId] = { used }
      for (const [appId, after] of positions) apps[appId] = { used: 0, ...apps[appId], after }
      for (const [appId, slots] of Object.entries(free))
        apps[appId] = { used: 0, ...apps[appId], free: slots }
      return { total: shares.total, apps }
    },
    /** Apps without a free slot are skipped by a claim and keep their position. */
    lookedAt: (): string[] => [...positions.keys()].filter((appId) => shares.mayStart(appId)),
    note(lookedAt: readonly string[], more: ClaimResult['more']): void {
      for (const appId of lookedAt) positions.delete(appId)
      for (const [appId, endpoint] of more) positions.set(appId, endpoint)
    },
  }
}

/** Decides whether the end of a try is a reason to claim again before the next poll. */
function createHints(shares: DeliveryShares) {
  const ending = new Set<Claimed>()
  const crowded = new Set<string>()
  let claiming = 0
  let claimAgain = false
  const hints = {
    /** The last claim found this node full. */
    isFull: false,
    async duringClaim(claim: () => Promise<ClaimResult>): Promise<ClaimResult> {
      // An event written while the delivery before it ends may be missed by both that end and this claim:
      // claim again.
      claimAgain ||= ending.size > 0
      claiming++
      const result = await claim().finally(() => claiming--)
      for (const delivery of result.claimed) if (delivery.crowded) crowded.add(endpointKey(delivery))
      return result
    },
    isEnding(delivery: Claimed): void {
      ending.add(delivery)
      claimAgain ||= claiming > 0
    },
    hasEnded(delivery: Claimed): boolean {
      ending.delete(delivery)
      const isTight = shares.isTight(delivery.appId)
      const freedSlot = crowded.delete(endpointKey(delivery)) || hints.isFull || isTight || claimAgain
      hints.isFull = false
      claimAgain = false
      return freedSlot
    },
  }
  return hints
}

const endpointKey = ({ appId, endpoint }: Claimed): string => `${appId}\n${endpoint}`
