import type { AnyMethod } from './methods/method.ts'
import type { Declined, NotDone, Unknown } from './outcome.ts'

/** What is wrong when a check fails, for readers in other languages. */
export const CHECK_PROBLEMS = [
  'credentials',
  'permission',
  'unreachable',
  'busy',
  'no-answer',
  'not-found',
  'refused',
  'other-account',
  'not-ready',
] as const
export type CheckProblem = (typeof CHECK_PROBLEMS)[number]

/** Why a profile cannot take payments yet. */
export interface NotReady {
  readonly code: 'hmac-key-missing' | 'signature-key-missing'
  /** One English sentence. */
  readonly problem: string
}

/** What a check may find to be right, in the order in which it is shown. */
export const CHECK_PARTS = ['credentials', 'permissions', 'account', 'methods', 'currency'] as const
export type CheckPart = (typeof CHECK_PARTS)[number]

/** `problem` is one English sentence; `code` tells the kind, where the adapter knows it. Decision 0153. */
export type Checked =
  | {
      readonly ok: true
      /** What the provider's answers showed to be right; the rest is not known. `account` tells of itself. */
      readonly tested: readonly CheckPart[]
      /** The provider's id of the account. A profile never changes to the key of another account. */
      readonly account?: string
      /** What works less well than it could, each in one English sentence. */
      readonly warnings?: readonly string[]
    }
  | { readonly ok: false; readonly problem: string; readonly code?: CheckProblem }

/** The code of a read that failed. */
export function checkProblem(failed: NotDone | Unknown | Declined): CheckProblem {
  if (failed.kind === 'declined') return 'refused'
  switch (failed.why) {
    case 'bad-credentials':
      return failed.raw?.status === 403 ? 'permission' : 'credentials'
    case 'not-sent':
      return 'unreachable'
    case 'rate-limited':
      return 'busy'
    case 'timeout':
    case 'connection-lost':
      return 'no-answer'
    case 'not-found':
      return 'not-found'
    default:
      return 'refused'
  }
}

/** The methods that an account has turned on. */
export type AccountMethods =
  | { readonly kind: 'methods'; readonly methods: readonly AnyMethod[] }
  | NotDone
  | Unknown
