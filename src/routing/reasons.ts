import { decimalText } from '../base/money.ts'
import { type Diagnosis, diagnosisText } from '../merchants/profiles/diagnosis.ts'
import type { NotReady } from '../providers/check.ts'
import type { ThreeDSecureAction } from '../providers/methods/three-d-secure.ts'

/** Why a payment goes where it goes, as data, and in the words of the API. The console has its own words. */

export type RankReason =
  | {
      readonly kind: 'route'
      /** From 1. */
      readonly route: number
      readonly place: number
      readonly name: string | null
      readonly weight: number | null
      /** What the route asks of 3-D Secure. */
      readonly threeDSecure?: ThreeDSecureAction
    }
  | { readonly kind: 'default'; readonly currency: string }
  | { readonly kind: 'unnamed' }
  /** It cannot be asked what the payment asks of 3-D Secure, and others can. */
  | { readonly kind: 'three-d-secure' }
  /** Calls to the provider fail or are slow. */
  | { readonly kind: 'trouble'; readonly diagnosis: Diagnosis }

export function rankReasonText(reason: RankReason): string {
  switch (reason.kind) {
    case 'route': {
      const name = reason.name === null ? '' : ` (${reason.name})`
      const weight = reason.weight === null ? '' : `, weight ${reason.weight}`
      const asks = reason.threeDSecure ? `, ${ASKS[reason.threeDSecure]}` : ''
      return `place ${reason.place} of route ${reason.route}${name}${weight}${asks}`
    }
    case 'default':
      return `default for ${reason.currency}`
    case 'unnamed':
      return 'no route names it'
    case 'three-d-secure':
      return 'put behind those that can be asked for 3-D Secure'
    case 'trouble':
      return `put last: ${diagnosisText(reason.diagnosis)}`
  }
}

const ASKS: Readonly<Record<ThreeDSecureAction, string>> = {
  RequestExemption: 'asks for no challenge',
  RequestChallenge: 'asks for a challenge',
  RequireChallenge: 'requires a challenge',
}

/** Why an offer cannot take a payment. */
export type Obstacle =
  | { readonly kind: 'inactive' | 'method' | 'capture' | 'off' | 'three-d-secure' }
  | { readonly kind: 'country'; readonly country: string }
  | { readonly kind: 'not-ready'; readonly reason: NotReady }
  | { readonly kind: 'currency'; readonly currency: string }
  | { readonly kind: 'never'; readonly provider: string; readonly currency: string }
  | {
      readonly kind: 'smallest' | 'largest' | 'multiple'
      readonly provider: string
      readonly minor: bigint
      readonly currency: string
    }

export function obstacleText(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'inactive':
      return 'the profile is not active'
    case 'method':
      return 'another method is wanted'
    case 'capture':
      return 'cannot authorise without capturing'
    case 'off':
      return 'the method is not turned on in the account at the provider'
    case 'three-d-secure':
      return 'cannot ask for 3-D Secure, which the payment requires'
    case 'country':
      return `the method is not for payers in ${obstacle.country}`
    case 'not-ready':
      return `not ready to take payments: ${obstacle.reason.problem}`
    case 'currency':
      return `does not take ${obstacle.currency}`
    case 'never':
      return `${obstacle.provider} does not take ${obstacle.currency} by this method`
    default: {
      const { provider, minor, currency } = obstacle
      const limit = { smallest: 'at least', largest: 'at most', multiple: 'multiples of' }[obstacle.kind]
      return `${provider} takes ${limit} ${decimalText(minor, currency)} ${currency}`
    }
  }
}
