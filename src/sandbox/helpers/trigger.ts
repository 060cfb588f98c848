import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { createPolicy, policyPage } from '../../fraud/policies/commands.ts'
import type { App } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { cancelPayment, refundPayment } from '../../payments/actions.ts'
import { createPayment } from '../../payments/create.ts'
import type { Payment } from '../../payments/payment.ts'
import { readCreation } from '../../payments/wire/request.ts'
import type { Sandbox } from '../sandbox.ts'
import { disputePayment } from './commands.ts'
import { payAsCustomer } from './pay.ts'

interface Course {
  /** What the customer's card does; undefined: the customer does not come. */
  readonly outcome?: string
  readonly autoCapture?: false
  readonly isHeld?: true
  readonly afterwards?: 'cancel' | 'refund' | 'dispute'
}

/** What can be triggered, and the course of a payment that leads there. */
const COURSES = {
  created: {},
  declined: { outcome: 'insufficient-funds' },
  authorized: { outcome: 'approved', autoCapture: false },
  captured: { outcome: 'approved' },
  held: { outcome: 'elevated-risk', isHeld: true },
  failed: { outcome: 'insufficient-funds', afterwards: 'cancel' },
  refunded: { outcome: 'approved', afterwards: 'refund' },
  disputed: { outcome: 'approved', afterwards: 'dispute' },
} as const satisfies Record<string, Course>

export type Trigger = keyof typeof COURSES
export const TRIGGERS = Object.keys(COURSES) as Trigger[]

interface Tools {
  readonly ctx: Context
  readonly sandbox: Sandbox
  readonly app: App
}

/** Makes a test payment and brings it to the state, with the commands and the bank that real ones use. */
export async function triggerEvent({ ctx, sandbox, app }: Tools, trigger: Trigger): Promise<Payment> {
  const course: Course = COURSES[trigger]
  const fraudPolicyId = course.isHeld ? await holdingPolicy(ctx, app) : undefined
  const fresh = (await loadApp(ctx, app.appId)) ?? app
  const wanted = readCreation('HostedPage', bodyOf(ctx, app, course, fraudPolicyId))
  const { payment } = await createPayment(ctx, fresh, wanted)
  if (course.outcome === undefined) return payment
  // The rest is done by the payer and the bank, and by a test: no person acts.
  const { actor: _, ...rest } = ctx
  const { outcome } = course
  const paid = await payAsCustomer({ ctx: rest, sandbox, app: fresh }, payment, {
    method: 'CreditCard',
    outcome,
  })
  const options = { waitMs: LIMITS.actionWaitMs }
  if (course.afterwards === 'cancel') return cancelPayment(rest, fresh, paid, options)
  if (course.afterwards === 'refund') return refundPayment(rest, fresh, paid, options)
  if (course.afterwards === 'dispute')
    return disputePayment(rest, sandbox, fresh, { payment: paid, wish: { outcome: 'open' } })
  return paid
}

function bodyOf({ config }: Context, app: App, course: Course, fraudPolicyId: number | undefined) {
  const { isActive: _, currency = 'USD' } = app.profiles.find(({ provider }) => provider === 'sandbox') ?? {}
  return {
    referenceId: `test-tools-${randomUUID()}`,
    amount: 25,
    currency,
    returnUrl: config.publicUrl,
    autoCapture: course.autoCapture ?? true,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: 'test-tools' }, description: 'Test tools' },
    ...(fraudPolicyId ? { fraudPolicyId } : {}),
  } as Parameters<typeof readCreation>[1]
}

const HOLDING = 'Test tools: hold at elevated risk'

/** A policy that only these payments name. */
async function holdingPolicy(ctx: Context, app: App): Promise<number> {
  const { items } = await policyPage(ctx, app, 0)
  const known = items.find(({ name }) => name === HOLDING)
  if (known) return known.policyId
  const rule = {
    action: 'HoldPayment',
    measure: 'ProviderRiskScore',
    period: 'Daily',
    periodCount: 1,
  } as const
  const rules = [{ ...rule, threshold: 60, currency: null, profiles: null, message: null }]
  return (await createPolicy(ctx, app, { name: HOLDING, rules }, undefined)).policyId
}
