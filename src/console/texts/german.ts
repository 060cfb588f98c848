import { account } from './de/account.ts'
import { actions } from './de/actions.ts'
import { audit } from './de/audit.ts'
import { customers } from './de/customers.ts'
import { developers } from './de/developers.ts'
import { frame } from './de/frame.ts'
import { fraud } from './de/fraud.ts'
import { links } from './de/links.ts'
import { overview } from './de/overview.ts'
import { payment } from './de/payment.ts'
import { payments } from './de/payments.ts'
import { profile } from './de/profile.ts'
import { providers } from './de/providers.ts'
import { reviews } from './de/reviews.ts'
import { routing } from './de/routing.ts'
import { search } from './de/search.ts'
import { settings } from './de/settings.ts'
import { system } from './de/system.ts'
import { team } from './de/team.ts'
import { tools } from './de/tools.ts'
import type { ConsoleTexts } from './texts.ts'

export const de: ConsoleTexts = {
  account,
  actions,
  audit,
  customers,
  developers,
  fraud,
  frame,
  links,
  overview,
  payment,
  payments,
  profile,
  providers,
  reviews,
  routing,
  search,
  settings,
  system,
  team,
  tools,
}
