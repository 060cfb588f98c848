import account from '../../../../locales/de/console/account.json'
import actions from '../../../../locales/de/console/actions.json'
import approvals from '../../../../locales/de/console/approvals.json'
import audit from '../../../../locales/de/console/audit.json'
import blocks from '../../../../locales/de/console/blocks.json'
import books from '../../../../locales/de/console/books.json'
import connect from '../../../../locales/de/console/connect.json'
import credentials from '../../../../locales/de/console/credentials.json'
import customers from '../../../../locales/de/console/customers.json'
import developers from '../../../../locales/de/console/developers.json'
import disputes from '../../../../locales/de/console/disputes.json'
import emails from '../../../../locales/de/console/emails.json'
import endpoints from '../../../../locales/de/console/endpoints.json'
import exports from '../../../../locales/de/console/exports.json'
import fileProblems from '../../../../locales/de/console/fileProblems.json'
import frame from '../../../../locales/de/console/frame.json'
import fraud from '../../../../locales/de/console/fraud.json'
import goingLive from '../../../../locales/de/console/goingLive.json'
import links from '../../../../locales/de/console/links.json'
import lists from '../../../../locales/de/console/lists.json'
import mistakes from '../../../../locales/de/console/mistakes.json'
import moving from '../../../../locales/de/console/moving.json'
import notices from '../../../../locales/de/console/notices.json'
import overview from '../../../../locales/de/console/overview.json'
import payment from '../../../../locales/de/console/payment.json'
import payments from '../../../../locales/de/console/payments.json'
import payouts from '../../../../locales/de/console/payouts.json'
import problems from '../../../../locales/de/console/problems.json'
import profile from '../../../../locales/de/console/profile.json'
import providerSetup from '../../../../locales/de/console/providerSetup.json'
import providers from '../../../../locales/de/console/providers.json'
import retry from '../../../../locales/de/console/retry.json'
import reusable from '../../../../locales/de/console/reusable.json'
import reviews from '../../../../locales/de/console/reviews.json'
import routing from '../../../../locales/de/console/routing.json'
import search from '../../../../locales/de/console/search.json'
import settings from '../../../../locales/de/console/settings.json'
import system from '../../../../locales/de/console/system.json'
import team from '../../../../locales/de/console/team.json'
import templates from '../../../../locales/de/console/templates.json'
import tools from '../../../../locales/de/console/tools.json'
import type { ConsoleTexts } from './texts.ts'

export const de: ConsoleTexts = {
  account,
  actions,
  approvals,
  audit,
  blocks,
  books,
  connect,
  credentials,
  customers,
  developers,
  disputes,
  emails,
  endpoints,
  exports,
  fileProblems,
  frame,
  fraud,
  goingLive,
  links,
  lists,
  mistakes,
  moving,
  notices,
  overview,
  payment,
  payments,
  payouts,
  problems,
  profile,
  providerSetup,
  providers,
  retry,
  reusable,
  reviews,
  routing,
  search,
  settings,
  system,
  team,
  templates,
  tools,
}
