import { LIMITS } from '../../base/limits.ts'
import { isMailbox } from '../../base/mailbox.ts'
import type { CustomerChanges } from '../../customers/commands.ts'

/** Pure: the customer's details and their validation. */
type Name = 'firstName' | 'lastName' | 'email' | 'mobileNumber'
type Wrong = 'emailWrong' | 'tooLong'

export const DETAILS = [
  {
    name: 'firstName',
    word: 'firstName',
    type: 'text',
    autoComplete: 'given-name',
    maxLength: LIMITS.nameLength,
  },
  {
    name: 'lastName',
    word: 'lastName',
    type: 'text',
    autoComplete: 'family-name',
    maxLength: LIMITS.nameLength,
  },
  { name: 'email', word: 'email', type: 'email', autoComplete: 'email', maxLength: LIMITS.emailLength },
  { name: 'mobileNumber', word: 'phone', type: 'tel', autoComplete: 'tel', maxLength: LIMITS.phoneLength },
] as const

export interface DetailProblems {
  readonly typed: ReadonlyMap<Name, string>
  readonly wrong: ReadonlyMap<Name, Wrong>
}

/** Returns the changes, or the problems to correct. An empty field clears the value. */
export function readDetails(form: ReadonlyMap<string, string>): CustomerChanges | DetailProblems {
  const typed = new Map(DETAILS.map(({ name }) => [name, (form.get(name) ?? '').trim()]))
  const wrong = new Map<Name, Wrong>()
  for (const { name, maxLength } of DETAILS) {
    const text = typed.get(name) ?? ''
    if (text.length > maxLength) wrong.set(name, 'tooLong')
    else if (name === 'email' && text !== '' && !isMailbox(text)) wrong.set(name, 'emailWrong')
  }
  if (wrong.size > 0) return { typed, wrong }
  return Object.fromEntries([...typed].map(([name, text]) => [name, text || null]))
}
