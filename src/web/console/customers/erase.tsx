import { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { type Eraser, eraseCustomer } from '../../../payments/erasure/erase.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { customerOf, renderAsk, homeOf } from './page.tsx'

export async function askErase(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { customers, frame } = request.texts
  return renderAsk(request, await customerOf(request), {
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

export async function postErase(request: AppRequest, erasers: readonly Eraser[]): Promise<PageAnswer> {
  const { ctx, app } = request
  const customer = await customerOf(request)
  try {
    await eraseCustomer(ctx, app, customer.customerId, erasers)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'customer_busy') return askErase(request, error)
    throw error
  }
  return seeOther(`${homeOf(request, customer)}?note=erased`)
}
