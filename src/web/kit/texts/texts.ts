import { account } from './en/account.ts'
import { audit } from './en/audit.ts'
import { developers } from './en/developers.ts'
import { emails } from './en/emails.ts'
import { frame } from './en/frame.ts'
import { fraud } from './en/fraud.ts'
import { overview } from './en/overview.ts'
import { actions } from './en/payments/actions.ts'
import { customers } from './en/payments/customers.ts'
import { links } from './en/payments/links.ts'
import { payment } from './en/payments/payment.ts'
import { payments } from './en/payments/payments.ts'
import { problems } from './en/payments/problems.ts'
import { reviews } from './en/payments/reviews.ts'
import { search } from './en/payments/search.ts'
import { profile } from './en/profile.ts'
import { providers } from './en/providers.ts'
import { routing } from './en/routing.ts'
import { settings } from './en/settings.ts'
import { system } from './en/system.ts'
import { team } from './en/team.ts'
import { tools } from './en/tools.ts'

/**
 * The English catalogue of the console. Its type is required of all other languages. Sentence case; a button
 * has a verb and an object; an error tells the next step.
 */
export const en = {
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

export type ConsoleTexts = typeof en
