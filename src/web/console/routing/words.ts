import type { RoutingRule } from '../../../merchants/routing-config.ts'
import { METHOD_IDS } from '../../../providers/methods/method.ts'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import type { Obstacle, RankReason } from '../../../routing/reasons.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import { countryName, methodKindName, profileName, troubleText } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/** The profile of a rule, shortened; a text for one that was removed. */
export const ruleProfileName = (request: AppRequest, profileId: number): string =>
  shortText(profileName(request, profileId), NAME_SHOWN) ?? request.texts.routing.gone

export const profileOptions = (request: AppRequest) =>
  request.app.profiles.map(({ profileId }) => ({
    value: String(profileId),
    label: ruleProfileName(request, profileId),
  }))

export const methodOptions = (request: AppRequest) => [
  { value: '', label: request.texts.routing.anyMethod },
  ...[...METHOD_KINDS, ...METHOD_IDS].map((method) => ({
    value: method,
    label: methodKindName(request, method),
  })),
]

const MAX_SHOWN = 12

const listText = (items: readonly string[]): string =>
  items.length > MAX_SHOWN ? `${items.slice(0, MAX_SHOWN).join(', ')} …` : items.join(', ')

/** The conditions of a route as a sentence. */
export function conditionText(request: AppRequest, rule: RoutingRule): string {
  const { routing } = request.texts
  const { format } = new Intl.NumberFormat(request.language.intl, { maximumFractionDigits: 2 })
  const parts = [
    rule.method && routing.by({ method: methodKindName(request, rule.method) }),
    rule.currency && routing.inCurrency({ currency: rule.currency }),
    rule.minAmount !== null && routing.atLeast({ amount: format(rule.minAmount) }),
    rule.maxAmount !== null && routing.atMost({ amount: format(rule.maxAmount) }),
    rule.countries &&
      routing.fromCountries({
        countries: listText(rule.countries.map((code) => countryName(request, code))),
      }),
    rule.brands && routing.withBrands({ brands: listText(rule.brands) }),
  ].filter((part) => typeof part === 'string')
  const text = parts.length === 0 ? routing.every : routing.payments({ conditions: parts.join(', ') })
  return rule.threeDSecure ? `${text}: ${routing.threeDSecure[rule.threeDSecure]}` : text
}

export function rankReasonText(request: AppRequest, reason: RankReason): string {
  const { reasons } = request.texts.routing
  switch (reason.kind) {
    case 'route': {
      const { place, route, name, weight, threeDSecure } = reason
      const shown = shortText(name ?? undefined, NAME_SHOWN)
      const text = shown ? reasons.named({ place, route, name: shown }) : reasons.route({ place, route })
      const asks = threeDSecure && request.texts.routing.threeDSecure[threeDSecure]
      return [text, weight !== null && reasons.weight({ weight }), asks].filter(Boolean).join(', ')
    }
    case 'default':
      return reasons.default({ currency: reason.currency })
    case 'unnamed':
      return reasons.unnamed
    case 'three-d-secure':
      return reasons['three-d-secure']
    case 'trouble':
      return reasons.trouble({ problem: troubleText(request, reason.diagnosis) })
  }
}

export function obstacleText({ texts, language }: AppRequest, obstacle: Obstacle): string {
  const { obstacles } = texts.routing
  switch (obstacle.kind) {
    case 'inactive':
    case 'method':
    case 'capture':
    case 'off':
    case 'three-d-secure':
      return obstacles[obstacle.kind]
    case 'country':
      return obstacles.country({ country: countryName({ language }, obstacle.country) })
    case 'not-ready':
      return obstacles.notReady({
        message: texts.providers.notReady[obstacle.reason.code].replace(/\.$/, ''),
      })
    case 'currency':
      return obstacles.currency({ currency: obstacle.currency })
    case 'never':
      return obstacles.never({ provider: obstacle.provider, currency: obstacle.currency })
    default:
      return obstacles[obstacle.kind]({
        provider: obstacle.provider,
        amount: moneyInText(language, obstacle.minor, obstacle.currency),
      })
  }
}
