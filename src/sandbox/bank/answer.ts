import { MINUTE } from '../../base/clock.ts'
import type { Effect } from './rules/faults.ts'

export interface Answer {
  readonly status: number
  readonly body: string
  /** How the answer comes to grief on its way. */
  readonly mishap?: Mishap
}

interface Mishap {
  readonly kind: 'cut' | 'late' | 'garbled' | 'server-error'
  readonly afterMs: number
}

export const answer = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) })

export const errorAnswer = (status: number, code: string, message: string): Answer =>
  answer(status, { error: { code, message } })

/** The connection is cut before the bank has read the request. */
export const requestLost = (delayMs = 0): Answer => ({
  status: 0,
  body: '',
  mishap: { kind: 'cut', afterMs: delayMs },
})

/** `not_accepted` is the bank's word that nothing was done and nothing will be. */
export const outage = (): Answer =>
  errorAnswer(503, 'not_accepted', 'The bank takes no requests right now. Nothing was done.')

export function withMishap(
  given: Answer,
  effect: Pick<Effect, 'delayMs'> & { readonly effect?: string },
): Answer {
  const afterMs = effect.delayMs ?? 0
  switch (effect.effect) {
    case 'reply-lost':
      return { ...given, mishap: { kind: 'cut', afterMs } }
    case 'reply-late':
      return { ...given, mishap: { kind: 'late', afterMs: effect.delayMs ?? MINUTE } }
    case 'unreadable':
      return { ...given, mishap: { kind: 'garbled', afterMs } }
    case 'http-500-after-acting':
      return { ...given, mishap: { kind: 'server-error', afterMs } }
    default:
      return given
  }
}
