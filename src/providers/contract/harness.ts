import type { AnyMethod } from '../methods/method.ts'
import type { Movement } from '../movements.ts'
import type { MethodKind } from '../outcome.ts'
import type { Abilities, InboundCall, ProviderAdapter, ProviderContext, Step } from '../port.ts'

/**
 * Sets up the cases of the conformance suite at one provider; the suite asserts the results.
 * `docs/guides/add-a-provider.md` explains how to write a harness.
 */
export interface ProviderHarness {
  readonly adapter: ProviderAdapter<unknown>
  readonly backUrl: string
  context(overrides?: Partial<ProviderContext<unknown>>): ProviderContext<unknown>
  /** Settings that the provider rejects. */
  readonly wrongSettings: unknown
  /** A one-time token from the provider's fields. Only for methods with `fields`. */
  instrument(method: AnyMethod, behaves: PayerBehaviour): Promise<string>
  /** Acts as the payer on the page of a redirect. */
  onPage(method: AnyMethod, url: string, behaves: PayerBehaviour): Promise<void>
  /** The provider executes the next call of this step, but its reply is lost. */
  loseNextReply(step: Step): Promise<void>
  /** The next call of this step is accepted and decided later. Returns false if that cannot be set up. */
  delayNextDecision(step: Step): Promise<boolean>
  /** Advances time until pending operations have ended. */
  waitUntilSettled(ms?: number): Promise<void>
  /** Advances time until what was moved is in settled lines and paid out. Absent: it is at once. */
  untilReported?(): Promise<void>
  /** Number of actual movements of one kind under a reference. Undefined if it cannot be determined. */
  movements(reference: string, kind: 'authorise' | 'capture' | 'void' | 'refund'): Promise<number | undefined>
  /** Delivers all due notifications and returns those about a reference. */
  notifications(reference: string): Promise<readonly InboundCall[]>
  /** What all due notifications reported about a reference. Only with `retrieve: 'notification-only'`. */
  reportedBy?(reference: string): Promise<readonly Movement[]>
  /** The signature of a notification is in its body. */
  readonly signsInBody?: boolean
  /** The provider shows a declined payment as open, because the payer may choose another way to pay. */
  readonly forgetsDeclines?: boolean
  /** Texts that must never be logged or stored: keys, card numbers, security codes. */
  readonly secrets: readonly string[]
  /** All log output and database rows since the start. */
  writtenDown(): Promise<string>
  close(): Promise<void>
}

export type PayerBehaviour = 'approves' | 'declines'

/** One test that applies to every method with certain abilities. */
export interface Case {
  readonly description: string
  applies(abilities: Abilities): boolean
  run(harness: ProviderHarness, method: MethodKind): Promise<void>
}
