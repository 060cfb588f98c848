import { DAY, HOUR } from '../../base/clock.ts'
import type { Declined, RetryAdvice } from '../outcome.ts'
import { entryOf } from './json.ts'

/** Pure: what card networks say about another try of a declined charge. Decision 0179. */

type Advised = Pick<Declined, 'retry' | 'retryAfterMs' | 'byNetwork'>

const NEVER_AGAIN: Advised = { retry: 'never', byNetwork: true }
const later = (retryAfterMs: number): Advised => ({ retry: 'later', retryAfterMs })

/**
 * Merchant advice codes of Mastercard. 40 to 43 describe the card and say nothing about a retry. 02 names no
 * time.
 */
const MERCHANT_ADVICE: Readonly<Record<string, Advised>> = {
  '01': { retry: 'after-customer-acts' },
  '02': { retry: 'later' },
  '03': NEVER_AGAIN,
  '04': { retry: 'unspecified' },
  '21': NEVER_AGAIN,
  '22': { retry: 'unspecified' },
  '24': later(HOUR),
  '25': later(DAY),
  '26': later(2 * DAY),
  '27': later(4 * DAY),
  '28': later(6 * DAY),
  '29': later(8 * DAY),
  '30': later(10 * DAY),
}

/**
 * Response codes that the issuer never approves: Visa's category 1. 12 and 57 are left out: other networks
 * use them for declines that pass, and the decline does not always name its network.
 */
const NEVER: ReadonlySet<string> = new Set(['04', '07', '15', '41', '43', '46', 'R0', 'R1', 'R3'])

/** The same of Visa cards only. */
const NEVER_VISA: ReadonlySet<string> = new Set(['12', '57'])

interface NetworkCodes {
  /** The network's advice, of two digits. Adyen writes a text after it. */
  readonly advice?: string | undefined
  /** The network's response code. Adyen writes a text after it. */
  readonly response?: string | undefined
  readonly brand?: string | undefined
}

/** Undefined: the network says nothing that decides. */
export function networkAdvice({ advice, response, brand }: NetworkCodes): Advised | undefined {
  const said = entryOf(MERCHANT_ADVICE, codeIn(advice))
  if (said && said.retry !== 'unspecified') return said
  const code = codeIn(response) ?? ''
  const isVisa = brand?.toLowerCase() === 'visa'
  return NEVER.has(code) || (isVisa && NEVER_VISA.has(code)) ? NEVER_AGAIN : undefined
}

/** `5 : Do not honor` has the code 05. */
function codeIn(text: string | undefined): string | undefined {
  const code = text?.match(/^\s*([0-9A-Z]{1,2})\b/i)?.[1]
  return code?.toUpperCase().padStart(2, '0')
}

/** A decline with the network's advice in place of the table's. */
export const withAdvice = <T extends { readonly retry: RetryAdvice }>(
  decline: T,
  codes: NetworkCodes,
): T => ({
  ...decline,
  ...networkAdvice(codes),
})
