import { expect, it } from 'vitest'
import { NOW, newPayment } from '../../../../test/support/payment.ts'
import { money } from '../../../base/money.ts'
import type { Snapshot } from '../../../providers/outcome.ts'
import type { OperationRecord } from '../../payment.ts'
import { changeFromSnapshot } from '../on-snapshot.ts'

const none = money(0n, 'EUR')
const snapshot: Snapshot = {
  ...{ kind: 'snapshot', handles: { payment: 'p' }, stage: 'cancelled', captured: none, facts: {} },
  ...{ refunded: none, refunds: [] },
}
const inputs = {
  ...{ now: NOW, oneStep: true, authorisationWindowMs: 0, canRefund: true },
  formUrl: 'https://tender.example/c/k',
}

it.each([
  ['cancel', 'done'],
  ['start', 'declined'],
])('an attempt that is cancelled at the provider: the open operation "%s" is %s', (step, status) => {
  const operation = { key: 'k', step, handles: null, tries: 1 } as unknown as OperationRecord
  const payment = newPayment({ state: 'Created', profileId: 1, method: 'klarna', attempt: 1 } as object)
  const change = changeFromSnapshot({ payment, operation, snapshot, inputs })
  expect(change?.operation).toMatchObject({ status })
})
