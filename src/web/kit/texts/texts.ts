import account from '../../../../locales/en/console/account.json'
import actions from '../../../../locales/en/console/actions.json'
import approvals from '../../../../locales/en/console/approvals.json'
import audit from '../../../../locales/en/console/audit.json'
import blocks from '../../../../locales/en/console/blocks.json'
import books from '../../../../locales/en/console/books.json'
import connect from '../../../../locales/en/console/connect.json'
import credentials from '../../../../locales/en/console/credentials.json'
import customers from '../../../../locales/en/console/customers.json'
import developers from '../../../../locales/en/console/developers.json'
import disputes from '../../../../locales/en/console/disputes.json'
import emails from '../../../../locales/en/console/emails.json'
import endpoints from '../../../../locales/en/console/endpoints.json'
import exports from '../../../../locales/en/console/exports.json'
import fileProblems from '../../../../locales/en/console/fileProblems.json'
import frame from '../../../../locales/en/console/frame.json'
import fraud from '../../../../locales/en/console/fraud.json'
import goingLive from '../../../../locales/en/console/goingLive.json'
import links from '../../../../locales/en/console/links.json'
import lists from '../../../../locales/en/console/lists.json'
import mistakes from '../../../../locales/en/console/mistakes.json'
import moving from '../../../../locales/en/console/moving.json'
import notices from '../../../../locales/en/console/notices.json'
import overview from '../../../../locales/en/console/overview.json'
import payment from '../../../../locales/en/console/payment.json'
import payments from '../../../../locales/en/console/payments.json'
import payouts from '../../../../locales/en/console/payouts.json'
import problems from '../../../../locales/en/console/problems.json'
import profile from '../../../../locales/en/console/profile.json'
import providerSetup from '../../../../locales/en/console/providerSetup.json'
import providers from '../../../../locales/en/console/providers.json'
import retry from '../../../../locales/en/console/retry.json'
import reusable from '../../../../locales/en/console/reusable.json'
import reviews from '../../../../locales/en/console/reviews.json'
import routing from '../../../../locales/en/console/routing.json'
import search from '../../../../locales/en/console/search.json'
import settings from '../../../../locales/en/console/settings.json'
import system from '../../../../locales/en/console/system.json'
import team from '../../../../locales/en/console/team.json'
import templates from '../../../../locales/en/console/templates.json'
import tools from '../../../../locales/en/console/tools.json'

/**
 * The English catalogue of the console. Its type is required of all other languages. Sentence case; a button
 * has a verb and an object; an error tells the next step.
 */
export const en = {
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

export type ConsoleTexts = typeof en

/** A text of a group in which some take values and others do not. */
export const textWith = <Values>(text: string | ((values: Values) => string), values: Values): string =>
  typeof text === 'string' ? text : text(values)

/** The text of a name from outside, which the group may not have. */
export const textNamed = (group: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(group, name) ? group[name] : undefined
