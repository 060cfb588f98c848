import { DAY } from '../../base/clock.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'
import { type Behaviour, refusal } from './behaviour.ts'

/**
 * The six methods by name that the sandbox imitates: a redirect, a slow transfer, a debit that can return, a
 * wallet, a voucher and paying later.
 */
const NAMED = ['ideal', 'bank-transfer', 'sepa-debit', 'apple-pay', 'multibanco', 'klarna'] as const
type SandboxNamed = (typeof NAMED)[number]

export const SANDBOX_METHODS = [...METHOD_KINDS, ...NAMED] as const
export type SandboxMethod = (typeof SANDBOX_METHODS)[number]

interface NamedButton {
  readonly action: (typeof NAMED_ACTIONS)[number]
  readonly label: string
  /** What the test helper calls it. */
  readonly scenario: string
  readonly behaviour: Behaviour
}

export const NAMED_ACTIONS = ['approve', 'fails-later', 'returns-later'] as const

const arrives = (days: number): Behaviour => ({ pending: { ms: days * DAY, waitsFor: 'provider' } })
const lapses = (days: number): Behaviour => ({
  pending: { ms: days * DAY, waitsFor: 'provider', refuse: refusal('expired') },
})

const NAMED_BUTTONS: Readonly<Record<SandboxNamed, readonly NamedButton[]>> = {
  ideal: [{ action: 'approve', label: 'Pay', scenario: 'approved', behaviour: {} }],
  'bank-transfer': [
    {
      ...{ action: 'approve', scenario: 'approved', behaviour: arrives(2) },
      label: 'Transfer the money: it arrives after 2 days',
    },
    {
      ...{ action: 'fails-later', scenario: 'expired', behaviour: lapses(14) },
      label: 'Never transfer it: the payment ends after 14 days',
    },
  ],
  'sepa-debit': [
    {
      ...{ action: 'approve', scenario: 'approved', behaviour: arrives(3) },
      label: 'Debit the account: confirmed after 3 days',
    },
    {
      ...{ action: 'returns-later', scenario: 'returned' },
      behaviour: { ...arrives(3), returnedLater: true },
      label: 'Debit the account: returned a minute after it was confirmed',
    },
    {
      ...{ action: 'fails-later', scenario: 'insufficient-funds' },
      behaviour: { pending: { ms: 3 * DAY, waitsFor: 'provider', refuse: refusal('insufficient-funds') } },
      label: 'Debit an empty account: refused after 3 days',
    },
  ],
  'apple-pay': [{ action: 'approve', label: 'Pay with Visa •••• 4242', scenario: 'approved', behaviour: {} }],
  multibanco: [
    {
      ...{ action: 'approve', scenario: 'approved', behaviour: arrives(1) },
      label: 'Pay the reference at a machine after 1 day',
    },
    {
      ...{ action: 'fails-later', scenario: 'expired', behaviour: lapses(7) },
      label: 'Never pay the reference: it ends after 7 days',
    },
  ],
  klarna: [{ action: 'approve', label: 'Pay later', scenario: 'approved', behaviour: {} }],
}

/** Undefined for one of the four kinds. */
export const buttonsOf = (method: SandboxMethod): readonly NamedButton[] | undefined =>
  (NAMED_BUTTONS as Readonly<Partial<Record<SandboxMethod, readonly NamedButton[]>>>)[method]
