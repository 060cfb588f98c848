import type { ConsoleTexts } from '../texts/texts.ts'
import type { PersonRequest } from './request.ts'

/** The screens of an app in the order of the menu, with the second key of `g …`. */
const MENU = [
  { name: 'overview', key: 'o' },
  { name: 'payments', key: 'p' },
  { name: 'payouts', key: 'y' },
  { name: 'books', key: 'b' },
  { name: 'reviews', key: 'v' },
  { name: 'disputes', key: 'i' },
  { name: 'links', key: 'l' },
  { name: 'customers', key: 'c' },
  { name: 'providers', key: 'r' },
  { name: 'routing', key: 'u' },
  { name: 'fraud', key: 'f' },
  { name: 'developers', key: 'd' },
  { name: 'exports', key: 'e' },
  { name: 'team', key: 't' },
  { name: 'audit', key: 'a' },
  { name: 'settings', key: 's' },
] as const satisfies readonly { readonly name: keyof ConsoleTexts; readonly key: string }[]

/** Shown with the first source of settlements. */
const OF_SETTLEMENTS: readonly string[] = ['payouts', 'books']

/** The entries that the person may open. */
export const menuOf = ({
  app,
  mayUse,
}: Pick<PersonRequest, 'app' | 'mayUse'>): readonly (typeof MENU)[number][] =>
  MENU.filter(
    ({ name }) =>
      mayUse('GET', `/${name}`) && (app?.hasSettlements === true || !OF_SETTLEMENTS.includes(name)),
  )
