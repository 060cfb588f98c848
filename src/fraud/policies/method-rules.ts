import Type from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { findAdapter } from '../../merchants/profiles/adapter.ts'
import { ProfileSummary } from '../../merchants/profiles/schema.ts'
import { profileSummary } from '../../merchants/profiles/view.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'

const MODES = ['CustomerPanel', 'Payment'] as const

export const MethodRuleAnswer = Type.Object(
  {
    paymentMethodAddCategory: Type.Enum([...METHOD_KINDS]),
    paymentMethodRuleItems: Type.Array(
      Type.Object({
        paymentMethodAddMode: Type.Enum([...MODES], {
          description: 'Added in the customer panel without a charge, or with a payment.',
        }),
        paymentMethodVerificationTypes: Type.Array(Type.Enum(['Provider', 'MicroDeposit'])),
        paymentProfile: ProfileSummary,
      }),
    ),
  },
  { title: 'PaymentMethodPolicyRuleMetadata' },
)

/** Drawn from what the providers of the active profiles can do. */
export function methodRuleView(ctx: Context, app: App) {
  const active = app.profiles.filter(({ isActive }) => isActive)
  const groups = METHOD_KINDS.map((kind) => ({
    paymentMethodAddCategory: kind,
    paymentMethodRuleItems: active.flatMap((profile) => {
      const adapter = findAdapter(ctx, profile)
      const abilities = profile.methods.includes(kind) ? adapter?.manifest.methods[kind] : undefined
      const modes = abilities?.setUpMethod ? MODES : abilities?.storeMethod ? (['Payment'] as const) : []
      const confirms = kind === 'ElectronicCheck' && adapter?.confirm !== undefined
      return modes.map((paymentMethodAddMode) => ({
        paymentMethodAddMode,
        paymentMethodVerificationTypes: confirms ? ['Provider', 'MicroDeposit'] : ['Provider'],
        paymentProfile: profileSummary(ctx, profile),
      }))
    }),
  }))
  return groups.filter(({ paymentMethodRuleItems }) => paymentMethodRuleItems.length > 0)
}
