import { forgetMethod, handleCapture, handleDisputeAnswer, handleRefund, voidPayment } from './movements.ts'
import { actOnPage, answerChallenge, createToken, showPage } from './pages.ts'
import { authoriseApproved, showPayment, startPayment } from './payments.ts'
import type { Handler } from './request.ts'
import { makePayouts, plantSettlementFault, removeSettlementFaults, showSettled } from './settled.ts'
import { actOnKeeping, handleConfirm, handleKeep, showKept } from './stored-methods.ts'
import { armFault, clearFaults, moveClock, openDispute, showAccount, showLedger } from './test-calls.ts'

/** Required credential: the merchant's secret key, also the publishable key, or a session in a page URL. */
export type Caller = 'secret-key' | 'any-key' | 'session'

export interface BankRoute {
  readonly caller: Caller
  readonly handle: Handler
}

const merchant = (handle: Handler): BankRoute => ({ caller: 'secret-key', handle })
const browser = (handle: Handler): BankRoute => ({ caller: 'any-key', handle })
const page = (handle: Handler): BankRoute => ({ caller: 'session', handle })

/** Version 1 of the bank's API. `*` is an id, a token or a session. */
export const ROUTES: ReadonlyMap<string, BankRoute> = new Map([
  ['GET account', merchant(showAccount)],
  ['POST tokens', browser(createToken)],
  ['POST payments', merchant(startPayment)],
  ['GET payments/*', merchant(showPayment)],
  ['POST payments/*/authorise', merchant(authoriseApproved)],
  ['POST payments/*/captures', merchant(handleCapture)],
  ['POST payments/*/void', merchant(voidPayment)],
  ['POST payments/*/refunds', merchant(handleRefund)],
  ['POST payments/*/dispute-answers', merchant(handleDisputeAnswer)],
  ['POST stored-methods', merchant(handleKeep)],
  ['GET stored-methods/*', merchant(showKept)],
  ['POST stored-methods/*/confirm', merchant(handleConfirm)],
  ['DELETE stored-methods/*', merchant(forgetMethod)],
  ['GET settled', merchant(showSettled)],
  ['GET pages/*', page(showPage)],
  ['POST pages/*', page(actOnPage)],
  ['GET keepings/*', page(showKept)],
  ['POST keepings/*', page(actOnKeeping)],
  ['GET challenges/*', page(showPage)],
  ['POST challenges/*', page(answerChallenge)],
  ['POST test/faults', merchant(armFault)],
  ['DELETE test/faults', merchant(clearFaults)],
  ['POST test/clock', merchant(moveClock)],
  ['GET test/ledger', merchant(showLedger)],
  ['POST test/disputes', merchant(openDispute)],
  ['POST test/payouts', merchant(makePayouts)],
  ['POST test/settlement-faults', merchant(plantSettlementFault)],
  ['DELETE test/settlement-faults', merchant(removeSettlementFaults)],
])
