import type { Outcome, ReadOutcome } from '../../../../src/providers/outcome.ts'
import type { Operation } from '../../../../src/providers/port.ts'
import { declineOf } from './declines.ts'
import type { AcornPayRead } from './exchange.ts'
import { unfinished } from './unfinished.ts'

/**
 * Pure: what replies mean. Return `echo` with reference and amount of the reply, so that the core notices an
 * answer about another payment. A reply that cannot be read is unknown, never a decline.
 */

/** Of a start: a redirect to the page. */
export function startOutcome(read: AcornPayRead): Outcome {
  return read.kind === 'object' ? unfinished('outcomes.ts: startOutcome') : refused(read)
}

/** Of a capture, a cancellation and a refund. */
export function stepOutcome(read: AcornPayRead, _op: Operation): Outcome {
  return read.kind === 'object' ? unfinished('outcomes.ts: stepOutcome') : refused(read)
}

/** `absent` is conclusive only if the provider promises that the payment would be listed by now. */
export function sightOf(read: AcornPayRead, _reference: string): ReadOutcome {
  return read.kind === 'object' ? unfinished('outcomes.ts: sightOf') : read
}

/** A refusal by the payer's bank, if the provider answers with an error for one. */
function refused(read: Exclude<AcornPayRead, { kind: 'object' }>): Outcome {
  return read.raw?.status === 402 ? { kind: 'declined', ...declineOf(read.raw) } : read
}
