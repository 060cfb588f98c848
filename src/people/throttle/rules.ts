import { DAY, HOUR, MINUTE, SECOND } from '../../base/clock.ts'

/**
 * What attempts are counted for. `own`: one account from one network. `account`: one account from all
 * networks that it never signed in from. `network`: all accounts from one network. Only the first applies
 * where the account signed in before, so strangers cannot lock a person out of a usual place. `reset`: links
 * for a new password that were sent to one address.
 */
export type ThrottleKind = 'own' | 'account' | 'network' | 'reset'

interface ThrottlePolicy {
  /** Failures without a delay: a person mistypes a few times. */
  readonly free: number
  /** Delay after the next failure; it doubles with each further one. */
  readonly firstMs: number
  readonly mostMs: number
  /** Failures are forgotten after this long without an attempt. */
  readonly forgottenMs: number
}

const THROTTLES: Readonly<Record<ThrottleKind, ThrottlePolicy>> = {
  own: { free: 4, firstMs: 2 * SECOND, mostMs: 15 * MINUTE, forgottenMs: DAY },
  // The person may be at a new place: a shorter delay, which still bounds guesses to 1,440 a day.
  account: { free: 20, firstMs: 2 * SECOND, mostMs: MINUTE, forgottenMs: DAY },
  // An office of many people shares one address.
  network: { free: 50, firstMs: 2 * SECOND, mostMs: 5 * MINUTE, forgottenMs: HOUR },
  // Each is an e-mail that the person may not have asked for.
  reset: { free: 3, firstMs: 15 * MINUTE, mostMs: 6 * HOUR, forgottenMs: DAY },
}

export interface ThrottleState {
  readonly failures: number
  readonly nextTime: Date
  readonly changedTime: Date
}

/** The milliseconds to wait before the next attempt, 0 for none. */
export const waitMs = ({ nextTime }: ThrottleState, now: Date): number =>
  Math.max(0, nextTime.getTime() - now.getTime())

/** The state after one more attempt. An attempt counts as a failure until it succeeds. */
export function afterAttempt(kind: ThrottleKind, state: ThrottleState | undefined, now: Date): ThrottleState {
  const { free, firstMs, mostMs, forgottenMs } = THROTTLES[kind]
  const isForgotten = !state || now.getTime() - state.changedTime.getTime() >= forgottenMs
  const failures = (isForgotten ? 0 : state.failures) + 1
  const over = failures - free
  const delayMs = over <= 0 ? 0 : Math.min(mostMs, firstMs * 2 ** Math.min(over - 1, 30))
  return { failures, nextTime: new Date(now.getTime() + delayMs), changedTime: now }
}
