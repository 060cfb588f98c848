import type { PayerMail, TeamMail } from '../merchants/apps/mail-kinds.ts'
import type { Diagnosis } from '../merchants/profiles/diagnosis.ts'
import type { MethodId } from '../providers/methods/method.ts'

/** What a message about a payment tells. Amounts are minor units; times are ISO 8601. */
export interface PaymentFacts {
  readonly amountMinor: string
  readonly currency: string
  readonly description: string | null
  /** The merchant's order number, otherwise its reference. */
  readonly reference: string
  /** Masked, such as `Visa •••• 4242`. */
  readonly method: string | null
  /** The method by name or the wallet, named in the language of the message before `method`. */
  readonly methodId?: MethodId
  readonly time: string
}

interface MethodFacts {
  readonly label: string
  readonly time: string
}

/** What a file has rows of. */
type ExportedThing = 'payments' | 'refunds' | 'disputes' | 'customers' | 'links' | 'events' | 'everything'

/** The content of each kind of message. It is stored sealed until the message has ended. */
export interface MailData {
  readonly receipt: PaymentFacts
  readonly refund: PaymentFacts & { readonly refundedMinor: string }
  /** `until`: when the money of a slow method is expected at the latest. */
  readonly 'payment-pending': PaymentFacts & { readonly until: string }
  readonly 'payment-failed': PaymentFacts & { readonly url: string }
  /** A link that a person of the team sends. */
  readonly 'payment-link': {
    readonly amountMinor: string
    readonly currency: string
    readonly description: string | null
    readonly reference: string
    /** What the person wrote. */
    readonly message: string | null
    readonly until: string | null
    readonly url: string
  }
  readonly 'method-added': MethodFacts
  readonly 'method-removed': MethodFacts
  readonly 'card-expiring': {
    readonly label: string
    readonly month: number
    readonly year: number
    readonly url: string
  }
  readonly invitation: {
    readonly business: string
    readonly role: string
    readonly invitedBy: string | null
    readonly url: string
    readonly until: string
  }
  readonly 'password-reset': { readonly url: string; readonly until: string }
  readonly 'sign-in': {
    readonly time: string
    readonly address: string
    readonly device: string
    readonly url: string
  }
  readonly 'access-added': {
    readonly what: 'passkey' | 'second-factor' | 'role' | 'api-key'
    /** The name of the passkey, the role or the key. */
    readonly name: string | null
    /** The licence of a role, the app of a key. */
    readonly business: string | null
    /** Another person, who gave it. */
    readonly by: string | null
    readonly time: string
    readonly address: string | null
    readonly url: string
  }
  readonly 'refund-made': PaymentFacts & { readonly refundedMinor: string; readonly url: string }
  readonly 'endpoint-failing': {
    readonly endpoint: string
    readonly since: string
    readonly error: string
    readonly isDisabled: boolean
    readonly url: string
  }
  readonly 'provider-degraded': {
    readonly profile: string
    /** Undefined in a message that an earlier version queued. */
    readonly diagnosis: Diagnosis | undefined
    readonly url: string
  }
  readonly 'authorisations-ending': {
    readonly count: number
    /** There are more than were counted. */
    readonly isMore: boolean
    readonly payments: readonly {
      readonly reference: string
      readonly amountMinor: string
      readonly currency: string
      readonly until: string
    }[]
    readonly url: string
  }
  /** What came up in the last day. */
  readonly settlements: {
    readonly opened: readonly { readonly kind: ExceptionName; readonly count: number }[]
    /** Profiles whose settlements cannot be read. */
    readonly failing: readonly string[]
    readonly exceptionsUrl: string
    readonly sourcesUrl: string
  }
  readonly dispute: {
    readonly occasion: 'opened' | 'week' | 'day'
    readonly reference: string
    readonly amountMinor: string
    readonly currency: string
    /** The provider's code. */
    readonly reason: string | null
    /** When evidence is due. */
    readonly due: string | null
    readonly profile: string | null
    readonly url: string
  }
  readonly 'export-ready': {
    readonly what: ExportedThing
    readonly rows: number
    /** It could not be made. */
    readonly isFailed: boolean
    /** Whether a schedule asked for it. */
    readonly isScheduled: boolean
    readonly until: string
    readonly url: string
  }
}

/** The kinds of exceptions of settlements. */
export type ExceptionName =
  | 'missing'
  | 'unknown'
  | 'amount'
  | 'currency'
  | 'doubled'
  | 'unseen'
  | 'fee'
  | 'payout'
  | 'unpaid'

export type MailKind = keyof MailData

/** A kind with its content. */
export type Mail = { [Kind in MailKind]: { readonly kind: Kind; readonly data: MailData[Kind] } }[MailKind]

/** To payers: those that settings turn on, and what a person sends. */
export type ToPayer = PayerMail | 'payment-link'

const PAYER: Readonly<Record<ToPayer, { readonly isReminder: boolean }>> = {
  receipt: { isReminder: false },
  refund: { isReminder: false },
  'payment-pending': { isReminder: false },
  'payment-failed': { isReminder: true },
  'method-added': { isReminder: false },
  'method-removed': { isReminder: false },
  'card-expiring': { isReminder: true },
  'payment-link': { isReminder: false },
}

export const isPayerMail = (kind: MailKind): kind is ToPayer => kind in PAYER

/** Reminders can be unsubscribed from. The others confirm what the payer or the merchant did. */
export const isReminder = (kind: MailKind): boolean => isPayerMail(kind) && PAYER[kind].isReminder

/** Every kind, those to payers first. */
export const MAIL_KINDS: readonly MailKind[] = [
  ...(Object.keys(PAYER) as ToPayer[]),
  ...([
    'endpoint-failing',
    'provider-degraded',
    'authorisations-ending',
    'settlements',
    'dispute',
  ] satisfies TeamMail[]),
  'refund-made',
  'invitation',
  'password-reset',
  'sign-in',
  'access-added',
  'export-ready',
]
