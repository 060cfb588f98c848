import type { IconName } from '../html/icons.tsx'
import type { ConsoleTexts } from '../texts/texts.ts'
import type { PersonRequest } from './request.ts'

interface MenuEntry {
  readonly name: keyof ConsoleTexts
  readonly key: string
  readonly icon: IconName
}

/** The screens of an app in the order of the menu, with the second key of `g …`. */
const MENU = [
  { name: 'overview', key: 'o', icon: 'chart' },
  { name: 'payments', key: 'p', icon: 'card' },
  { name: 'payouts', key: 'y', icon: 'bank' },
  { name: 'books', key: 'b', icon: 'book' },
  { name: 'reviews', key: 'v', icon: 'review' },
  { name: 'disputes', key: 'i', icon: 'alert' },
  { name: 'links', key: 'l', icon: 'link' },
  { name: 'customers', key: 'c', icon: 'person' },
  { name: 'providers', key: 'r', icon: 'plug' },
  { name: 'routing', key: 'u', icon: 'fork' },
  { name: 'fraud', key: 'f', icon: 'shield' },
  { name: 'developers', key: 'd', icon: 'code' },
  { name: 'exports', key: 'e', icon: 'down' },
  { name: 'team', key: 't', icon: 'people' },
  { name: 'audit', key: 'a', icon: 'page' },
  { name: 'settings', key: 's', icon: 'sliders' },
] as const satisfies readonly MenuEntry[]

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
