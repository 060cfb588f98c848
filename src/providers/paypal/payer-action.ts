import type { Declined, Handles, NotDone, Outcome, Unknown } from '../outcome.ts'
import { subKey } from '../sub-key.ts'
import type { PaypalReply } from './api.ts'
import { linkIn } from './wire.ts'

/**
 * Pure: PayPal may refuse to process an approved order until the payer has been on its page once more. The
 * handle `acted` counts how often the payer was sent there. The request after it is another one, so it has
 * another key.
 */
const LETTERS = ['B', 'C', 'D'] as const

const timesOf = ({ acted }: Handles): number => Number(acted ?? 0)

export const isActed = (handles: Handles): boolean => timesOf(handles) > 0

export function actionKey(key: string, handles: Handles): string {
  const letter = LETTERS[timesOf(handles) - 1]
  return letter ? subKey(key, letter) : key
}

interface Wanted {
  /** The reply that refused. Absent: the outcome names the page. */
  readonly reply?: PaypalReply | NotDone | Unknown
  readonly handles: Handles
  readonly isPresent: boolean
}

const REQUIRED = 'PAYER_ACTION_REQUIRED'

/** Sends a payer who is present to the page of the same order. Without the payer it is a decline. */
export function askPayer(outcome: Outcome, { reply, handles, isPresent }: Wanted): Outcome {
  const url = pageOf(outcome, reply)
  if (url === undefined) return outcome
  const times = timesOf(handles) + 1
  if (!isPresent || times > LETTERS.length) return outcome.kind === 'redirect' ? declined(handles) : outcome
  const echo = outcome.kind === 'redirect' && outcome.echo ? { echo: outcome.echo } : {}
  return { kind: 'redirect', url, handles: { ...handles, acted: String(times) }, ...echo }
}

/** The page that PayPal wants the payer on. Undefined: the outcome is about something else. */
function pageOf(outcome: Outcome, reply: Wanted['reply']): string | undefined {
  if (outcome.kind === 'redirect') return outcome.url
  const isRefused = outcome.kind === 'declined' && outcome.raw.code === REQUIRED
  return isRefused && reply?.kind === 'reply' ? linkIn(reply.body, 'payer-action') : undefined
}

const declined = (handles: Handles): Declined => ({
  ...{ kind: 'declined', reason: 'authentication-required', retry: 'after-customer-acts' },
  ...{ handles, raw: { code: REQUIRED } },
})
