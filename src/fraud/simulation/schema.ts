import Type from 'typebox'
import { Instant } from '../../http/wire.ts'
import { DECISIONS } from '../verdict.ts'
import { CheckAnswer } from '../verdicts/view.ts'

export const SimulateInput = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 365, description: 'How far to look back.' }),
})

const Sums = Type.Array(
  Type.Object({ currency: Type.String(), count: Type.Integer(), amount: Type.Number() }),
)

export const SimulationAnswer = Type.Object(
  {
    fraudPolicyId: Type.Integer(),
    from: Instant,
    to: Instant,
    payments: Type.Integer({ description: 'Payments with an attempt in that time.' }),
    isComplete: Type.Boolean({ description: 'False: there were more payments than are looked at.' }),
    stopped: Type.Object({
      count: Type.Integer(),
      byDecision: Type.Object({ Hold: Type.Integer(), Reject: Type.Integer(), Block: Type.Integer() }),
      byCurrency: Sums,
      laterRefunded: Type.Integer({ description: 'Stopped payments that were refunded later.' }),
      laterDisputed: Type.Integer({ description: 'Stopped payments that were disputed later.' }),
    }),
    threeDSecure: Type.Object(
      {
        RequestExemption: Type.Integer(),
        RequestChallenge: Type.Integer(),
        RequireChallenge: Type.Integer(),
      },
      { description: 'Payments that are not stopped, by what is asked of 3-D Secure.' },
    ),
    byRule: Type.Array(
      Type.Object({
        rule: Type.Union([Type.Integer(), Type.Null()]),
        name: Type.String(),
        violated: Type.Integer(),
      }),
    ),
    examples: Type.Array(
      Type.Object({
        paymentId: Type.Integer(),
        decision: Type.Enum([...DECISIONS]),
        checks: Type.Array(CheckAnswer, { description: 'Those that were violated.' }),
        explanation: Type.String(),
      }),
    ),
  },
  { title: 'FraudSimulation' },
)
