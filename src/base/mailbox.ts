/** E-mail addresses: what is taken for one, from the loosest to the strictest. */

/** Typed by people: one @, no spaces. */
export const isMailbox = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

/** In a link, or an address for replies: nothing that ends a link or begins another. For schemas. */
export const LINKED_MAILBOX = '[^\\s@:/?#<>"]+@[^\\s@:/?#<>"]+'
const LINKED = new RegExp(`^${LINKED_MAILBOX}$`)
export const isLinkedMailbox = (text: string): boolean => LINKED.test(text)

/** In the header of an e-mail: nothing that separates addresses. */
export const isSender = (text: string): boolean => /^[^\s@<>"(),:;\\[\]]{1,64}@[a-z0-9.-]+$/i.test(text)

/**
 * The address of an account, in lower case. ASCII only: in other scripts several characters have the same
 * lower case, so two addresses could meet in one account. Labels of a domain in another script are written
 * as `xn--…`.
 */
export const isAccountMailbox = (text: string): boolean =>
  /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(text)

/** By the rules of e-mail itself: words with dots between them, and a domain with a name at its end. */
export const isDottedMailbox = (text: string): boolean => DOTTED.test(text)
const DOTTED = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}$/

/** Short, and only letters and digits: accepted by every check of addresses. */
export const isPlainMailbox = (text: string): boolean => PLAIN.test(text)
const PLAIN = /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,8}$/

/** `pat@example.com` is shown as `p•••@example.com`. */
export const maskedMailbox = (text: string): string => text.replace(/^(.)[^@]*/u, '$1•••')
