import { account } from './de/account.ts'
import { audit } from './de/audit.ts'
import { developers } from './de/developers.ts'
import { emails } from './de/emails.ts'
import { frame } from './de/frame.ts'
import { fraud } from './de/fraud.ts'
import { overview } from './de/overview.ts'
import { actions } from './de/payments/actions.ts'
import { customers } from './de/payments/customers.ts'
import { links } from './de/payments/links.ts'
import { payment } from './de/payments/payment.ts'
import { payments } from './de/payments/payments.ts'
import { problems } from './de/payments/problems.ts'
import { reviews } from './de/payments/reviews.ts'
import { search } from './de/payments/search.ts'
import { profile } from './de/profile.ts'
import { providers } from './de/providers.ts'
import { routing } from './de/routing.ts'
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
  emails,
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
  problems,
  search,
  settings,
  system,
  team,
  tools,
}
