import type { MethodKind } from '../outcome.ts'
import type { Abilities, InboundCall, ProviderAdapter, ProviderContext, Step } from '../port.ts'

/**
 * What every adapter must do, whatever its provider. A harness says how each case is brought about at one
 * provider; the suite says what must come of it. `docs/guides/add-a-provider.md` shows how to write a
 * harness.
 */
export interface ProviderHarness {
  readonly adapter: ProviderAdapter<unknown>
  readonly backUrl: string
  context(overrides?: Partial<ProviderContext<unknown>>): ProviderContext<unknown>
  /** Settings that the provider does not accept. */
  readonly wrongSettings: unknown
  /** A one-time token from the provider's own fields. Only for methods with `fields`. */
  instrument(method: MethodKind, behaves: PayerBehaviour): Promise<string>
  /** What the payer does on the page behind a redirect. */
  onPage(method: MethodKind, url: string, behaves: PayerBehaviour): Promise<void>
  /** The next call of this step is carried out and its answer lost. */
  loseNextReply(step: Step): Promise<void>
  /** The next call of this step is accepted and decided later; false where that cannot be brought about. */
  delayNextDecision(step: Step): Promise<boolean>
  /** Time passes until what was pending has ended. */
  waitUntilSettled(): Promise<void>
  /** How often money of one kind really moved under a reference; undefined where it cannot be known. */
  movements(reference: string, kind: 'authorise' | 'capture' | 'void' | 'refund'): Promise<number | undefined>
  /** Lets the provider send what it has to say, and gives what it has sent about a reference. */
  notifications(reference: string): Promise<readonly InboundCall[]>
  /** Texts that must never be written down: keys, card numbers, security codes. */
  readonly secrets: readonly string[]
  /** Everything logged, and every row kept, since the start. */
  writtenDown(): Promise<string>
  close(): Promise<void>
}

export type PayerBehaviour = 'approves' | 'declines'

/** One thing that must hold for every method with certain abilities. */
export interface Case {
  readonly says: string
  applies(abilities: Abilities): boolean
  run(harness: ProviderHarness, method: MethodKind): Promise<void>
}
