import { LIMITS } from '../../base/limits.ts'
import { isAccountMailbox } from '../../base/mailbox.ts'

/** The address as it is stored and compared, or undefined when it is none. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= LIMITS.emailLength && /^[\x21-\x7e]+$/.test(text.trim()) && isAccountMailbox(email)
    ? email
    : undefined
}
