import Type from 'typebox'
import { Instant } from '../../http/wire.ts'
import { type App, findProfile } from '../../merchants/app.ts'
import { isMethodId, kindOnWire, METHOD_IDS } from '../../providers/methods/method.ts'
import {
  DECLINE_REASONS,
  type DeclineReason,
  METHOD_KINDS,
  type NotDone,
  RETRY_ADVICE,
} from '../../providers/outcome.ts'
import type { OperationStatus } from '../payment.ts'
import { ENGLISH, type PaymentProblem, type ProblemWords, problemText } from '../problems.ts'
import { adviceFor, RETRY_DESCRIPTION } from '../retry/advice.ts'
import type { AttemptStep, Undone } from './store.ts'

const STATUSES = {
  open: 'Running',
  waiting: 'Waiting',
  done: 'Approved',
  declined: 'Declined',
  'not-done': 'NotDone',
  abandoned: 'GivenUp',
} as const satisfies Record<OperationStatus, string>

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const AttemptAnswer = Type.Object(
  {
    attempt: Type.Integer(),
    time: Instant,
    paymentProfileId: Type.Integer(),
    paymentProfileName: nullable(Type.String()),
    paymentMethodType: Type.Enum([...METHOD_KINDS, 'ProviderHostedPage']),
    paymentMethodId: Type.Optional(
      Type.Enum([...METHOD_IDS], { description: 'Of a method by name: `ideal`.' }),
    ),
    status: Type.Enum(Object.values(STATUSES)),
    explanation: Type.String({ description: 'The outcome in words.' }),
    declineCode: nullable(Type.String()),
    providerCode: nullable(Type.String({ description: "The provider's own code of the decline or error." })),
    retry: nullable(Type.Enum([...RETRY_ADVICE], { description: `Of a decline. ${RETRY_DESCRIPTION}` })),
    retryAfter: nullable(Instant),
    undone: nullable(
      Type.Object({
        status: Type.Enum(['Running', 'Done', 'Refused']),
        explanation: Type.String(),
        time: Instant,
      }),
    ),
  },
  { title: 'PaymentAttempt' },
)

/** How an attempt stands: a code, or the problem that ended it. */
export type AttemptStanding =
  | { readonly code: keyof ProblemWords['attempt'] }
  | { readonly problem: PaymentProblem }

/** One entry for each attempt; the last thing asked of its provider tells how it stands. */
export function attemptsFrom(app: App, tries: readonly AttemptStep[]) {
  const attempts = new Map<number, { first: AttemptStep; last: AttemptStep }>()
  for (const one of tries)
    attempts.set(one.attempt, { first: attempts.get(one.attempt)?.first ?? one, last: one })
  return [...attempts.values()].map(({ first, last }) => ({
    attempt: first.attempt,
    time: first.createdTime.toISOString(),
    paymentProfileId: first.profileId,
    paymentProfileName: findProfile(app, first.profileId)?.name ?? null,
    paymentMethodType: kindOnWire(first.method),
    ...(isMethodId(first.method) ? { paymentMethodId: first.method } : {}),
    ...(arrivedLate(first, last) ? LATE : { status: STATUSES[last.status], standing: standingOf(last) }),
    declineCode: declineReason(last) ?? null,
    providerCode: last.outcome?.raw?.code ?? null,
    ...attemptAdvice(last),
    undone: first.undo && undoneOf(first.undo),
  }))
}

/** The attempts in the words of the API. */
export const attemptsView = (attempts: ReturnType<typeof attemptsFrom>) =>
  attempts.map(({ standing, declineCode, providerCode, retry, retryAfter, undone, ...attempt }) => ({
    ...attempt,
    explanation: 'code' in standing ? ENGLISH.attempt[standing.code] : problemText(standing.problem),
    declineCode,
    providerCode,
    retry,
    retryAfter,
    undone: undone && { status: undone.status, explanation: ENGLISH.undo[undone.result], time: undone.time },
  }))

/** It had ended as one that never reached its provider, and then something of it had to be undone. */
const arrivedLate = (first: AttemptStep, last: AttemptStep): boolean =>
  last.status === 'not-done' && first.undo !== null && first.undo.result !== 'nothing'

const LATE = { status: STATUSES.abandoned, standing: { code: 'late' } } as const

function standingOf(one: AttemptStep): AttemptStanding {
  const reason = declineReason(one)
  if (reason) return { problem: { code: 'declined', reason } }
  if (one.status !== 'not-done') return { code: one.status }
  return one.outcome?.kind === 'not-done'
    ? { problem: { code: 'not-done', why: one.outcome.why as NotDone['why'] } }
    : { problem: { code: 'unreached' } }
}

const declineReason = ({ status, outcome }: AttemptStep): DeclineReason | undefined =>
  status === 'declined' ? DECLINE_REASONS.find((reason) => reason === outcome?.why) : undefined

function attemptAdvice(one: AttemptStep) {
  const reason = declineReason(one)
  return reason ? adviceFor(reason, one.outcome) : { retry: null, retryAfter: null }
}

interface UndoneAttempt {
  readonly status: 'Running' | 'Done' | 'Refused'
  readonly result: keyof ProblemWords['undo']
  readonly time: string
}

function undoneOf({ status, result, time }: Undone): UndoneAttempt {
  const words = { open: 'Running', done: 'Done', refused: 'Refused' } as const
  return {
    status: words[status],
    result: result ?? (status === 'refused' ? 'refused' : 'open'),
    time: time.toISOString(),
  }
}
