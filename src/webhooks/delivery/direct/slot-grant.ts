import { after, type Clock } from '../../../base/clock.ts'
import { WEBHOOKS } from '../../schedule.ts'

export interface EndpointKey {
  readonly appId: string
  /** '' stands for the app's URL. */
  readonly endpoint: string
}

export interface SlotRequester {
  /** Returns the number of slots granted until then, at least `kept`. */
  request(until: Date, kept: number): Promise<number>
  onError(error: unknown): void
}

/** Called once: with a slot, or without one when none can be expected soon. */
type Turn = (hasSlot: boolean) => void

interface Waiting {
  readonly turn: Turn
  readonly until: Date
}

/** Slots that may be taken during a renewal, beyond those in use. */
const MARGIN = 4

/**
 * A node's right to a number of slots of an endpoint, for a while, and the queue of those that wait for one.
 * It is requested when the endpoint is used a second time within seconds, and renewed while it is in use: one
 * statement in ten seconds instead of a claim for each delivery. Decision 0125.
 */
export class SlotGrant {
  readonly key: EndpointKey
  /** Slots with a delivery in flight. */
  used = 0
  readonly #clock: Clock
  /** During a renewal, the slots that it cannot take away. */
  #slots = 0
  /** Free slots that a claim may use. */
  #lent = 0
  #until: Date
  #lastUse: Date
  #isRenewing = false
  readonly #queue: Waiting[] = []
  #isRefusingLate = false

  constructor(key: EndpointKey, clock: Clock) {
    this.key = key
    this.#clock = clock
    this.#until = clock.now()
    this.#lastUse = this.#until
  }

  /** It was not used for a while. */
  get isIdle(): boolean {
    const isBusy = this.used > 0 || this.#lent > 0 || this.#isRenewing
    return !isBusy && after(this.#lastUse, WEBHOOKS.grantMs) < this.#clock.now()
  }

  /** Whether a slot can be expected soon. Requests slots in the background. */
  expectsSlot(requester: SlotRequester): boolean {
    const now = this.#clock.now()
    const isRecent = after(this.#lastUse, WEBHOOKS.grantMs / 2) >= now
    this.#lastUse = now
    if (!isRecent) return false
    if (this.#leftMs < WEBHOOKS.grantMs / 2 && !this.#isRenewing) void this.#renew(requester)
    return this.#isValid && this.#slots > 0 && this.#queue.length < WEBHOOKS.maxWaiting
  }

  /** Calls `turn` now or when a slot is free. */
  takeSlot(turn: Turn): void {
    this.#queue.push({ turn, until: after(this.#clock.now(), WEBHOOKS.slotWaitMs) })
    this.#proceed()
    if (this.#queue.length > 0 && !this.#isRefusingLate) void this.#refuseLate()
  }

  /** Ends the use of a slot, which goes to the next in the queue. */
  freeSlot(): void {
    this.used--
    this.#proceed()
  }

  /** The whole queue goes without a slot. */
  refuseWaiting(): void {
    for (const { turn } of this.#queue.splice(0)) turn(false)
  }

  /** Half of the free slots, for a claim: deliveries that are written meanwhile use the others. */
  lendFree(): number {
    this.#lent = this.#isRenewing ? 0 : Math.ceil(this.#free / 2)
    return this.#lent
  }

  endLoan(): void {
    if (this.#lent === 0) return
    this.#lent = 0
    this.#proceed()
  }

  get #leftMs(): number {
    return this.#until.getTime() - this.#clock.now().getTime()
  }

  /** The end of a grant is not used up: clocks differ, and a statement takes time. */
  get #isValid(): boolean {
    return this.#leftMs >= WEBHOOKS.grantMs / 4
  }

  get #free(): number {
    return this.#isValid ? Math.max(0, this.#slots - this.used - this.#lent) : 0
  }

  async #renew({ request, onError }: SlotRequester): Promise<void> {
    const until = after(this.#clock.now(), WEBHOOKS.grantMs)
    this.#isRenewing = true
    this.#slots = this.#leftMs > 0 ? Math.min(this.#slots, this.used + this.#lent + MARGIN) : 0
    try {
      this.#slots = await request(until, this.#slots)
      this.#until = until
    } catch (error) {
      onError(error)
    }
    this.#isRenewing = false
    this.#proceed()
  }

  /** Free slots go to the queue. Without a delivery in flight none will become free. */
  #proceed(): void {
    while (this.#queue.length > 0 && this.#free > 0) {
      this.used++
      this.#queue.shift()?.turn(true)
    }
    if (this.used + this.#lent === 0 && !this.#isRenewing) this.refuseWaiting()
  }

  /** Refuses those that have waited for too long, until the queue is empty. */
  async #refuseLate(): Promise<void> {
    this.#isRefusingLate = true
    for (let [first] = this.#queue; first; [first] = this.#queue) {
      await this.#clock.sleep(Math.max(1, first.until.getTime() - this.#clock.now().getTime()))
      while (this.#queue[0] && this.#queue[0].until <= this.#clock.now()) this.#queue.shift()?.turn(false)
    }
    this.#isRefusingLate = false
  }
}
