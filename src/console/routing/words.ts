import { findProfile } from '../../merchants/app.ts'
import { NAME_SHOWN, shortText } from '../../pages/ui/short-text.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'
import type { RoutingRule } from '../../routing/rules.ts'
import type { AppVisit } from '../frame/visit.ts'

export const methodName = ({ texts }: AppVisit, method: string): string => {
  const kind = METHOD_KINDS.find((one) => one === method)
  return kind ? texts.providers.methodNames[kind] : method
}

export const profileName = ({ app, texts }: AppVisit, profileId: number): string =>
  shortText(findProfile(app, profileId)?.name, NAME_SHOWN) ?? texts.routing.gone

const MOST_SHOWN = 12

const listText = (items: readonly string[]): string =>
  items.length > MOST_SHOWN ? `${items.slice(0, MOST_SHOWN).join(', ')} …` : items.join(', ')

/** The conditions of a route as a sentence. */
export function conditionText(visit: AppVisit, rule: RoutingRule): string {
  const { routing } = visit.texts
  const { format } = new Intl.NumberFormat(visit.language.intl, { maximumFractionDigits: 2 })
  const parts = [
    rule.method && routing.by(methodName(visit, rule.method)),
    rule.currency && routing.inCurrency(rule.currency),
    rule.minAmount !== null && routing.atLeast(format(rule.minAmount)),
    rule.maxAmount !== null && routing.atMost(format(rule.maxAmount)),
    rule.countries && routing.fromCountries(listText(rule.countries)),
    rule.brands && routing.withBrands(listText(rule.brands)),
  ].filter((part) => typeof part === 'string')
  return parts.length === 0 ? routing.every : routing.payments(parts.join(', '))
}
