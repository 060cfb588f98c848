import { randomUUID } from 'node:crypto'
import type { Payment, Tender } from '../../../sdk/src/tender.ts'
import { type Command, UsageError } from '../command.ts'
import { onePayment } from './payments.ts'

interface Course {
  /** What the customer's card does; undefined: the customer does not come. */
  readonly outcome?: 'approved' | 'insufficient-funds' | 'elevated-risk'
  readonly autoCapture?: false
  readonly isHeld?: true
  readonly afterwards?: (tender: Tender, paymentId: number) => Promise<Payment>
}

/** As the test tools of the console have them. */
const COURSES: Readonly<Record<string, Course>> = {
  created: {},
  declined: { outcome: 'insufficient-funds' },
  authorized: { outcome: 'approved', autoCapture: false },
  captured: { outcome: 'approved' },
  held: { outcome: 'elevated-risk', isHeld: true },
  failed: { outcome: 'insufficient-funds', afterwards: ({ payments }, id) => payments.cancel(id) },
  refunded: { outcome: 'approved', afterwards: ({ payments }, id) => payments.refund(id) },
  disputed: { outcome: 'approved', afterwards: ({ testHelpers }, id) => testHelpers.dispute(id) },
}

export const TRIGGER: Command = {
  name: 'trigger',
  description: `Make a payment in a sandbox app and bring it to a state: ${Object.keys(COURSES).join(', ')}.`,
  args: ['state'],
  async run({ tender, args: [state = ''], connection }) {
    const course = Object.hasOwn(COURSES, state) ? COURSES[state] : undefined
    if (!course)
      throw new UsageError(`'${state}' cannot be triggered. Choose from ${Object.keys(COURSES).join(', ')}.`)
    return onePayment(await follow(tender, course, connection.url))
  },
}

async function follow(tender: Tender, course: Course, returnUrl: string): Promise<Payment> {
  const profiles = await tender.paymentProfiles.list()
  const sandbox = profiles.find(({ provider, isActive }) => provider === 'sandbox' && isActive)
  const created = await tender.payments.createHostedPage({
    referenceId: `trigger-${randomUUID()}`,
    amount: 25,
    currency: sandbox?.currency ?? 'USD',
    returnUrl,
    autoCapture: course.autoCapture ?? true,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: 'trigger' }, description: 'Made by tender trigger' },
    ...(course.isHeld ? { fraudPolicyId: await holdingPolicy(tender) } : {}),
  })
  if (course.outcome === undefined) return created
  const { paymentId } = created
  const paid = await tender.testHelpers.pay(paymentId, { method: 'CreditCard', outcome: course.outcome })
  return course.afterwards ? course.afterwards(tender, paymentId) : paid
}

const HOLDING = 'tender trigger: hold at elevated risk'

/** A policy that only these payments name. */
async function holdingPolicy({ fraudPolicies }: Tender): Promise<number> {
  for await (const { name, fraudPolicyId } of fraudPolicies.list()) if (name === HOLDING) return fraudPolicyId
  const rule = { action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 } as const
  return (await fraudPolicies.create({ name: HOLDING, rules: [rule] })).fraudPolicyId
}
