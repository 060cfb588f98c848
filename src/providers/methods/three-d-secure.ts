/** 3-D Secure of card payments: who asks for it, and what came of it. Decision 0185. */

/** What the provider is asked for: a challenge by the payer's bank, or no challenge. */
export const REQUESTS = ['challenge', 'exemption'] as const
export type ThreeDSecureRequest = (typeof REQUESTS)[number]

/** From the weakest to the strongest: the strongest that anyone asks for a payment counts. */
export const THREE_D_SECURE_ACTIONS = ['RequestExemption', 'RequestChallenge', 'RequireChallenge'] as const
export type ThreeDSecureAction = (typeof THREE_D_SECURE_ACTIONS)[number]

export const RESULTS = [
  'authenticated-by-challenge',
  'frictionless',
  'authenticated',
  'attempted',
  'exempted',
  'not-authenticated',
  'failed',
  'not-supported',
] as const
export type ThreeDSecureResult = (typeof RESULTS)[number]

/** What a provider tells. Absent members: it does not say. */
export interface ThreeDSecureFacts {
  readonly result?: ThreeDSecureResult
  /** Of the protocol, such as `2.2.0`. */
  readonly version?: string
  /** Whether the bank of the payer is liable for a fraudulent payment. */
  readonly liabilityShift?: boolean
}

/** As it is stored with an attempt. */
export interface ThreeDSecure extends ThreeDSecureFacts {
  readonly requested?: ThreeDSecureRequest
}

export const isThreeDSecureAction = (action: string): action is ThreeDSecureAction =>
  (THREE_D_SECURE_ACTIONS as readonly string[]).includes(action)

export const strongest = (
  actions: readonly (ThreeDSecureAction | null | undefined)[],
): ThreeDSecureAction | undefined => THREE_D_SECURE_ACTIONS.findLast((action) => actions.includes(action))

export const requestOf = (action: ThreeDSecureAction): ThreeDSecureRequest =>
  action === 'RequestExemption' ? 'exemption' : 'challenge'

/** Whether the provider can be asked. Methods other than cards have nothing to ask for. */
export const canAsk = (
  abilities: { readonly threeDSecure?: readonly ThreeDSecureRequest[] },
  action: ThreeDSecureAction,
): boolean => abilities.threeDSecure?.includes(requestOf(action)) ?? false

/** Of a card payment at a profile that cannot be asked. */
export const lacksThreeDSecure = (
  { method, abilities }: { readonly method: string; readonly abilities: Parameters<typeof canAsk>[0] },
  action: ThreeDSecureAction | undefined,
): boolean => action !== undefined && method === 'CreditCard' && !canAsk(abilities, action)

const VERSION = /^\d\.\d(?:\.\d)?$/

export const versionIn = (text: string | undefined): Pick<ThreeDSecureFacts, 'version'> =>
  text !== undefined && VERSION.test(text) ? { version: text } : {}
