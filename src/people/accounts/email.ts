import { LIMITS } from '../../base/limits.ts'

/**
 * ASCII only: in other scripts several characters have the same lower case, so two addresses could meet in
 * one account. Labels of a domain in another script are written as `xn--…`.
 */
const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** The address as it is stored and compared, or undefined when it is none. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= LIMITS.emailLength && /^[\x21-\x7e]+$/.test(text.trim()) && EMAIL.test(email)
    ? email
    : undefined
}
