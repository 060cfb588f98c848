import { domainToASCII } from 'node:url'
import { LIMITS } from '../base/limits.ts'

// Without spaces, control characters and the characters that separate or quote addresses.
const LOCAL = /^[^\s\p{C}@<>"(),:;\\[\]]{1,64}$/u
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/

/** The address as it is sent to, or undefined when a server could read it as something else. */
export function readAddress(text: string): string | undefined {
  const [local = '', domain = '', ...rest] = text.trim().split('@')
  const host = domainToASCII(domain)
  const address = `${local}@${host}`
  const isGood = rest.length === 0 && LOCAL.test(local) && DOMAIN.test(host)
  return isGood && address.length <= LIMITS.emailLength ? address : undefined
}
