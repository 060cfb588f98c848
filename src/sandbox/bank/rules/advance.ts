import { refusal } from '../../values/behaviour.ts'
import { endDeclined, settle, take } from './authorise.ts'
import { settleReturn } from './balance.ts'
import { type Draft, draftOf, type LedgerPayment, rebook, type ScheduledChange } from './payment.ts'
import { dispute, endRefund } from './settle.ts'

/** Applies all scheduled changes up to `now`, in order of time. */
export function advanced(payment: LedgerPayment, now: Date): Draft {
  const draft = draftOf(payment, now)
  for (let due = earliest(draft); due && due.at <= now.toISOString(); due = earliest(draft)) {
    const applied = due
    draft.payment.due = draft.payment.due.filter((other) => other !== applied)
    // Each change uses its own due time as now, so that follow-up changes are scheduled relative to it.
    applyChange({ ...draft, now: new Date(due.at) }, due, draft)
  }
  return draft
}

export function earliest({ payment }: { payment: LedgerPayment }): ScheduledChange | undefined {
  return payment.due.reduce<ScheduledChange | undefined>(
    (first, due) => (first && first.at <= due.at ? first : due),
    undefined,
  )
}

function applyChange(then: Draft, due: ScheduledChange, draft: Draft): void {
  switch (due.what) {
    case 'settle':
      settle(then, due.entry, due.refuse)
      break
    case 'capture':
      rebook(then, due.entry, 'done')
      take(then, due.entry.amount)
      break
    case 'refund': {
      const made = then.payment.refunds.find((one) => one.id === due.refundId)
      if (made) endRefund(then, made, due.problem)
      break
    }
    case 'dispute':
      dispute(then, { state: 'open', reason: then.payment.behaviour.dispute ?? 'fraudulent' })
      break
    case 'return':
      settleReturn(then)
      then.payment.returned = true
      draft.events.push('payment.returned')
      break
    case 'close':
      close(then)
  }
  if (then.storing) draft.storing = then.storing
}

/** Handles the expiry of a page, a challenge or an authorisation. */
function close(draft: Draft): void {
  const { payment } = draft
  if (payment.status === 'authorised') {
    payment.status = 'expired'
    draft.events.push('payment.expired')
  } else {
    const what = payment.page?.kind === '3ds' ? 'The challenge was not answered' : 'The page was not paid on'
    endDeclined(draft, refusal('expired', undefined, `${what} in time.`))
  }
}
