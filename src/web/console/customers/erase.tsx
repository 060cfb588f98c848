import { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { type Eraser, eraseCustomer } from '../../../payments/erasure/erase.ts'
import type { AppVisit } from '../frame/visit.ts'
import { customerOf, drawAsk, homeOf } from './page.tsx'

export async function askErase(visit: AppVisit, problem?: ApiError): Promise<PageAnswer> {
  const { customers, frame } = visit.texts
  return drawAsk(visit, await customerOf(visit), {
    title: customers.eraseTitle,
    path: 'erase',
    button: customers.eraseButton,
    kind: 'danger',
    problem: problem && {
      status: problem.status,
      text: customers.eraseBusy(String(problem.extras.members?.paymentId ?? '')),
    },
    children: (
      <>
        <p>{customers.eraseBody}</p>
        <p>{customers.eraseKept}</p>
        <p>{frame.cannotUndo}</p>
      </>
    ),
  })
}

export async function postErase(visit: AppVisit, erasers: readonly Eraser[]): Promise<PageAnswer> {
  const { ctx, app } = visit
  const customer = await customerOf(visit)
  try {
    await eraseCustomer(ctx, app, customer.customerId, erasers)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'customer_busy') return askErase(visit, error)
    throw error
  }
  return seeOther(`${homeOf(visit, customer)}?note=erased`)
}
