import { contains, parseAddress, parseRange } from '../base/addresses.ts'
import type { Firewall } from './policy.ts'
import type { FraudCheck, FraudFacts } from './verdict.ts'

/** Checks IP address, countries and the provider's risk score. Pure. */
export function judgeFirewall(
  firewall: Firewall,
  facts: FraudFacts,
  stage: FraudCheck['stage'],
): FraudCheck[] {
  const found =
    stage === 'Before'
      ? [addresses(firewall, facts), countries(firewall, facts, stage)]
      : [countries(firewall, facts, stage), cardCountry(firewall, facts), riskScore(firewall, facts)]
  return found.flatMap((check) =>
    check
      ? [{ stage, action: 'RejectPayment' as const, ...check, result: resolved(firewall, check.result) }]
      : [],
  )
}

type Found = Pick<FraudCheck, 'name' | 'seen' | 'limit' | 'result'>

/** A check without data passes unless the merchant chose to reject. */
const resolved = ({ whenUnavailable }: Firewall, result: FraudCheck['result']): FraudCheck['result'] =>
  result === 'NotKnown' && whenUnavailable === 'Reject' ? 'Violated' : result

function addresses({ allowedAddresses, blockedAddresses }: Firewall, facts: FraudFacts): Found | undefined {
  if (allowedAddresses.length + blockedAddresses.length === 0) return undefined
  const limit = limitOf(allowedAddresses, blockedAddresses)
  if (!facts.payerPresent) return { name: 'Address', seen: null, limit, result: 'NotApplicable' }
  const address = parseAddress(facts.payerIp ?? '')
  if (!address) return { name: 'Address', seen: null, limit, result: 'NotKnown' }
  const isIn = (texts: readonly string[]) =>
    texts.some((text) => {
      const range = parseRange(text)
      return range !== undefined && contains(range, address)
    })
  const isAllowed = !isIn(blockedAddresses) && (allowedAddresses.length === 0 || isIn(allowedAddresses))
  return { name: 'Address', seen: facts.payerIp ?? null, limit, result: isAllowed ? 'Passed' : 'Violated' }
}

/** Every known country must be allowed. Before the provider is called, no known country is no violation. */
function countries(firewall: Firewall, facts: FraudFacts, stage: FraudCheck['stage']): Found | undefined {
  const { allowedCountries, blockedCountries } = firewall
  if (allowedCountries.length + blockedCountries.length === 0) return undefined
  const { addressCountry, card, payerCountry } = facts
  const known = [...new Set([addressCountry, card?.country, payerCountry].filter((one) => one !== undefined))]
  const limit = limitOf(allowedCountries, blockedCountries)
  if (known.length === 0)
    return stage === 'Before' ? undefined : { name: 'Country', seen: null, limit, result: 'NotKnown' }
  const isAllowed = known.every(
    (one) =>
      !blockedCountries.includes(one) && (allowedCountries.length === 0 || allowedCountries.includes(one)),
  )
  return { name: 'Country', seen: known.join(', '), limit, result: isAllowed ? 'Passed' : 'Violated' }
}

function cardCountry({ matchCardCountry }: Firewall, facts: FraudFacts): Found | undefined {
  if (!matchCardCountry) return undefined
  const check = { name: 'CardCountry', limit: facts.addressCountry ?? 'the country of the address' } as const
  if (!facts.isCard) return { ...check, seen: null, result: 'NotApplicable' }
  const country = facts.card?.country
  if (country === undefined || facts.addressCountry === undefined)
    return { ...check, seen: country ?? null, result: 'NotKnown' }
  return { ...check, seen: country, result: country === facts.addressCountry ? 'Passed' : 'Violated' }
}

function riskScore({ maxRiskScore }: Firewall, { riskScore: score }: FraudFacts): Found | undefined {
  if (maxRiskScore === null) return undefined
  const check = { name: 'RiskScore', limit: String(maxRiskScore) } as const
  if (score === undefined) return { ...check, seen: null, result: 'NotKnown' }
  return { ...check, seen: String(score), result: score > maxRiskScore ? 'Violated' : 'Passed' }
}

const limitOf = (allowed: readonly string[], blocked: readonly string[]): string =>
  [
    ...(allowed.length > 0 ? [`only ${shortened(allowed)}`] : []),
    ...(blocked.length > 0 ? [`not ${shortened(blocked)}`] : []),
  ].join(', ')

/** Verdicts are stored with every payment, so long lists are shortened. */
const shortened = (texts: readonly string[]): string =>
  texts.length > 5 ? `${texts.slice(0, 5).join(' ')} and ${texts.length - 5} more` : texts.join(' ')
