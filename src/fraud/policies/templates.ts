import { type Firewall, NO_FIREWALL, type Rule } from '../policy.ts'

/**
 * Ready policies to begin with. Their names, sentences and messages are texts of the console, by the same
 * keys; the guide shows the same ten, and a test compares it with this table.
 */
interface Template {
  readonly rules?: readonly TemplateRule[]
  readonly firewall?: Partial<Firewall>
  /** Where the text for the payer is said: the place of a rule, or the firewall. */
  readonly saysAt?: number | 'firewall'
}

type TemplateRule = Pick<Rule, 'action' | 'measure' | 'threshold'> & Partial<Pick<Rule, 'period'>>

const TEMPLATES = {
  cardTesting: {
    rules: [
      { action: 'RejectPayment', measure: 'DistinctCard', period: 'Daily', threshold: 3 },
      { action: 'RejectPayment', measure: 'ProviderRejectCount', period: 'Daily', threshold: 5 },
      { action: 'BlockCustomer', measure: 'ProviderRejectCount', period: 'Weekly', threshold: 20 },
    ],
    saysAt: 1,
  },
  fiveADay: {
    rules: [{ action: 'RejectPayment', measure: 'PaymentCount', period: 'Daily', threshold: 5 }],
  },
  spendingLimit: {
    rules: [
      { action: 'RejectPayment', measure: 'TotalAmount', period: 'Daily', threshold: 500 },
      { action: 'RejectPayment', measure: 'TotalAmount', period: 'Monthly', threshold: 2000 },
    ],
    saysAt: 0,
  },
  reviewLarge: { rules: [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 1000 }] },
  hardLimit: {
    rules: [{ action: 'RejectPayment', measure: 'SingleAmount', threshold: 5000 }],
    saysAt: 0,
  },
  riskScore: {
    rules: [
      { action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 },
      { action: 'RejectPayment', measure: 'ProviderRiskScore', threshold: 80 },
    ],
  },
  someCountries: { firewall: { allowedCountries: ['DE', 'AT', 'CH'] }, saysAt: 'firewall' },
  cardCountry: { firewall: { matchCardCountry: true, whenUnavailable: 'Accept' } },
  blockedNetworks: {
    firewall: { blockedAddresses: ['203.0.113.0/24', '198.51.100.23', '2001:db8::/32'] },
  },
  subscriptions: {
    rules: [
      { action: 'RejectPayment', measure: 'PaymentCount', period: 'Daily', threshold: 2 },
      { action: 'RejectPayment', measure: 'ProviderRejectCount', period: 'Weekly', threshold: 4 },
    ],
  },
} as const satisfies Record<string, Template>

export type TemplateId = keyof typeof TEMPLATES
export const TEMPLATE_IDS = Object.keys(TEMPLATES) as TemplateId[]

interface TemplateTexts {
  readonly name: string
  readonly message?: string
}

/** The policy of a template, with the texts of a language. Amounts are in this currency; null: in any. */
export function policyFrom(id: TemplateId, { name, message = '' }: TemplateTexts, currency: string | null) {
  const { rules = [], firewall = {}, saysAt }: Template = TEMPLATES[id]
  return {
    name,
    rules: rules.map(
      (rule, place): Rule => ({
        period: 'Daily',
        periodCount: 1,
        profiles: null,
        ...rule,
        currency: rule.measure === 'TotalAmount' || rule.measure === 'SingleAmount' ? currency : null,
        message: (saysAt === place && message) || null,
      }),
    ),
    firewall: { ...NO_FIREWALL, ...firewall, message: (saysAt === 'firewall' && message) || null },
  }
}
