import { MINUTE } from '../../base/clock.ts'
import type { ActiveFault } from './rules/faults.ts'

export interface BankAnswer {
  readonly status: number
  readonly body: string
  /** How the answer is damaged or delayed on its way to the client. */
  readonly replyFault?: ReplyFault
}

interface ReplyFault {
  readonly kind: 'cut' | 'late' | 'garbled' | 'server-error'
  readonly afterMs: number
}

export const answer = (status: number, body: object): BankAnswer => ({ status, body: JSON.stringify(body) })

export const errorAnswer = (status: number, code: string, message: string): BankAnswer =>
  answer(status, { error: { code, message } })

/** The connection is closed before the bank processes the request. */
export const requestLost = (delayMs = 0): BankAnswer => ({
  status: 0,
  body: '',
  replyFault: { kind: 'cut', afterMs: delayMs },
})

/** The code `not_accepted` guarantees that the request has no effect, now or later. */
export const outage = (): BankAnswer =>
  errorAnswer(503, 'not_accepted', 'The bank takes no requests right now. Nothing was done.')

export function withReplyFault(
  given: BankAnswer,
  effect: Pick<ActiveFault, 'delayMs'> & { readonly effect?: string },
): BankAnswer {
  const afterMs = effect.delayMs ?? 0
  switch (effect.effect) {
    case 'reply-lost':
      return { ...given, replyFault: { kind: 'cut', afterMs } }
    case 'reply-late':
      return { ...given, replyFault: { kind: 'late', afterMs: effect.delayMs ?? MINUTE } }
    case 'unreadable':
      return { ...given, replyFault: { kind: 'garbled', afterMs } }
    case 'http-500-after-acting':
      return { ...given, replyFault: { kind: 'server-error', afterMs } }
    default:
      return given
  }
}
