import { invalid, notFound } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { expected, mistaken } from '../../base/mistakes.ts'
import { isTimeZone } from '../../base/time/zone.ts'
import type { Context } from '../../context.ts'
import type { Person } from '../person.ts'
import { sessions } from '../sessions/cache.ts'
import { type PersonSettings, selectPerson, updatePerson } from '../store/people.ts'

export const findPerson = (ctx: Context, personId: string): Promise<Person | undefined> =>
  selectPerson(ctx.db, personId)

/** Undefined: leave it as it is. */
export type SettingChanges = { readonly [Name in keyof PersonSettings]?: PersonSettings[Name] | undefined }

/** Changes what the person may choose: name, theme, language, time zone and shortcuts. */
export async function changeSettings(
  ctx: Context,
  personId: string,
  changes: SettingChanges,
): Promise<Person> {
  const known = await selectPerson(ctx.db, personId)
  if (!known) throw notFound('The person')
  const { name, theme, language, timeZone, hasShortcuts } = changes
  if (timeZone && !isTimeZone(timeZone)) throw invalid([expected('timeZone', 'timeZone')])
  const next: PersonSettings = {
    name: name === undefined ? known.name : readName(name),
    theme: theme === undefined ? known.theme : theme,
    language: language === undefined ? known.language : language,
    timeZone: timeZone === undefined ? known.timeZone : timeZone,
    hasShortcuts: hasShortcuts ?? known.hasShortcuts,
  }
  const person = await updatePerson(ctx.db, personId, next)
  if (!person) throw notFound('The person')
  sessions(ctx).clear()
  return person
}

/** Throws 400 for a name that is empty or too long. */
export function readName(text: string): string {
  const name = text.trim().replaceAll(/\s+/g, ' ')
  if (name === '' || name.length > LIMITS.nameLength)
    throw invalid([mistaken('name', 'length', { least: 1, most: LIMITS.nameLength })])
  return name
}
