import type { Refusal } from '../../values/behaviour.ts'
import { forgetStored } from '../accounts.ts'
import { answer } from '../answer.ts'
import type { BankContext } from '../context.ts'
import { type BankDecision, changePayment } from '../perform.ts'
import { answerDispute } from '../rules/answer-dispute.ts'
import type { Draft } from '../rules/payment.ts'
import { capture, captureMeanwhile, refund, release } from '../rules/settle.ts'
import * as read from './read.ts'
import { type Handler, keyed } from './request.ts'

export const handleCapture: Handler = (bank, request) => {
  const amount = read.amount(request.body)
  const call = {
    account: request.account,
    target: request.id,
    step: 'capture',
    request: keyed(request),
  } as const
  return changePayment(bank, call, ({ effect }, draft) =>
    concluded(bank, draft, capture(draft, { operationKey: call.request.key, amount, effect })),
  )
}

export const voidPayment: Handler = (bank, request) => {
  const call = {
    account: request.account,
    target: request.id,
    step: 'cancel',
    request: keyed(request),
  } as const
  return changePayment(bank, call, ({ effect }, draft) => {
    if (draft.payment.status === 'authorised' && draft.payment.behaviour.voidTooLate) {
      captureMeanwhile(draft)
      const error = { code: 'wrong_state', message: 'Too late: the payment was captured a moment ago.' }
      return { draft, status: 409, body: { error } }
    }
    return concluded(bank, draft, release(draft, { operationKey: call.request.key, effect }))
  })
}

export const handleRefund: Handler = (bank, request) => {
  const amount = read.amount(request.body)
  const call = {
    account: request.account,
    target: request.id,
    step: 'refund',
    request: keyed(request),
  } as const
  return changePayment(bank, call, ({ effect }, draft) => {
    const made = refund(draft, { operationKey: call.request.key, amount, effect })
    if ('reason' in made) return concluded(bank, draft, made)
    const { id, status } = made
    return {
      draft,
      status: 200,
      body: { payment: bank.views.payment(draft.payment), refund: { id, status } },
    }
  })
}

/** With evidence, or by accepting the dispute. Files are sent as their sizes only. */
export const handleDisputeAnswer: Handler = (bank, request) => {
  const { body } = request
  const explanation = body.accept === true ? undefined : String(body.explanation ?? '')
  const answered = { disputeId: read.text(body, 'dispute', 200), explanation }
  const call = {
    account: request.account,
    target: request.id,
    step: 'dispute',
    request: keyed(request),
  } as const
  return changePayment(bank, call, (_, draft) => {
    answerDispute(draft, answered)
    return concluded(bank, draft, undefined)
  })
}

/** A refused movement is answered with 402, even if the payment is unchanged. */
function concluded({ views }: BankContext, draft: Draft, said: Refusal | undefined): BankDecision {
  const payment = views.payment(draft.payment)
  return said
    ? { draft, status: 402, body: { payment: { ...payment, decline: said } } }
    : { draft, status: 200, body: { payment } }
}

export const forgetMethod: Handler = async (bank, { account, id }) => {
  await forgetStored(bank, account, id)
  return answer(200, { forgotten: true })
}
