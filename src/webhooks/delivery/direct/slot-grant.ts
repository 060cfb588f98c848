import { after, type Clock } from '../../../base/clock.ts'
import { WEBHOOKS } from '../../schedule.ts'

export interface EndpointKey {
  readonly appId: string
  /** '' stands for the app's URL. */
  readonly endpoint: string
}

export interface Asking {
  /** Returns the number of slots granted until then, at least `kept`. */
  ask(until: Date, kept: number): Promise<number>
  onError(error: unknown): void
}

/** Called once: with a slot, or without one when none can be expected. */
type Turn = (hasSlot: boolean) => void

interface Waiting {
  readonly turn: Turn
  readonly until: Date
}

/** Slots that may be taken during a renewal, beyond those in use. */
const MARGIN = 4

/**
 * A node's right to a number of slots of an endpoint, for a while, and those that wait for one of them. It is
 * asked for when the endpoint is used a second time within seconds, and renewed while it is in use: one
 * statement in ten seconds instead of a claim for each delivery.
 */
export class Permit {
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
  #isAsking = false
  readonly #line: Waiting[] = []
  #isShortening = false

  constructor(key: EndpointKey, clock: Clock) {
    this.key = key
    this.#clock = clock
    this.#until = clock.now()
    this.#lastUse = this.#until
  }

  /** Nobody has used it for a while. */
  get isIdle(): boolean {
    const isBusy = this.used > 0 || this.#lent > 0 || this.#isAsking
    return !isBusy && after(this.#lastUse, WEBHOOKS.permitMs) < this.#clock.now()
  }

  /** Whether a slot can be expected soon. Asks for slots in the background. */
  expects(asking: Asking): boolean {
    const now = this.#clock.now()
    const isRecent = after(this.#lastUse, WEBHOOKS.permitMs / 2) >= now
    this.#lastUse = now
    if (!isRecent) return false
    if (this.#leftMs < WEBHOOKS.permitMs / 2 && !this.#isAsking) void this.#renew(asking)
    return this.#isValid && this.#slots > 0 && this.#line.length < WEBHOOKS.longestLine
  }

  /** Calls `turn` now or when a slot is free. */
  take(turn: Turn): void {
    this.#line.push({ turn, until: after(this.#clock.now(), WEBHOOKS.lineMs) })
    this.#proceed()
    if (this.#line.length > 0 && !this.#isShortening) void this.#shorten()
  }

  /** Ends the use of a slot, which goes to the next in line. */
  free(): void {
    this.used--
    this.#proceed()
  }

  /** No one in line gets a slot. */
  clearLine(): void {
    for (const { turn } of this.#line.splice(0)) turn(false)
  }

  /** Half of the free slots, for a claim: deliveries that are written meanwhile use the others. */
  lend(): number {
    this.#lent = this.#isAsking ? 0 : Math.ceil(this.#free / 2)
    return this.#lent
  }

  takeBack(): void {
    if (this.#lent === 0) return
    this.#lent = 0
    this.#proceed()
  }

  get #leftMs(): number {
    return this.#until.getTime() - this.#clock.now().getTime()
  }

  /** The end of a permit is not used up: clocks differ, and a statement takes time. */
  get #isValid(): boolean {
    return this.#leftMs >= WEBHOOKS.permitMs / 4
  }

  get #free(): number {
    return this.#isValid ? Math.max(0, this.#slots - this.used - this.#lent) : 0
  }

  async #renew({ ask, onError }: Asking): Promise<void> {
    const until = after(this.#clock.now(), WEBHOOKS.permitMs)
    this.#isAsking = true
    this.#slots = this.#leftMs > 0 ? Math.min(this.#slots, this.used + this.#lent + MARGIN) : 0
    try {
      this.#slots = await ask(until, this.#slots)
      this.#until = until
    } catch (error) {
      onError(error)
    }
    this.#isAsking = false
    this.#proceed()
  }

  /** Slots go to those in line. Without a delivery in flight none will become free. */
  #proceed(): void {
    while (this.#line.length > 0 && this.#free > 0) {
      this.used++
      this.#line.shift()?.turn(true)
    }
    if (this.used + this.#lent === 0 && !this.#isAsking) this.clearLine()
  }

  /** Sends those away that have waited for too long, until no one waits. */
  async #shorten(): Promise<void> {
    this.#isShortening = true
    for (let [first] = this.#line; first; [first] = this.#line) {
      await this.#clock.sleep(Math.max(1, first.until.getTime() - this.#clock.now().getTime()))
      while (this.#line[0] && this.#line[0].until <= this.#clock.now()) this.#line.shift()?.turn(false)
    }
    this.#isShortening = false
  }
}
