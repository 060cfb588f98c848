import { isPlainHost, parseUrl } from '../../../base/text.ts'

const MAX_CHARACTERS = 2_000

/** Where a shop waits for the answer. */
export interface ReturnUrl {
  /** As the shop wrote it. */
  readonly text: string
  /** Host and port as the browser reads them, other scripts as `xn--…`. */
  readonly host: string
  /** Origins that the form may lead to: many shops lead from http to https. */
  readonly origins: readonly string[]
}

/** Undefined for anything but an http or https address without a user. */
export function readReturnUrl(text: string): ReturnUrl | undefined {
  if (text.length > MAX_CHARACTERS || !/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text)) return undefined
  const url = parseUrl(text)
  if (!url) return undefined
  const { username, password, host, origin } = url
  if (username !== '' || password !== '' || !isPlainHost(host)) return undefined
  return { text, host, origins: [...new Set([origin, `https://${host}`])] }
}

/** Adds parameters and leaves the rest of the address as it is. */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const [base = '', ...fragment] = url.split('#')
  const separator = base.includes('?') ? '&' : '?'
  const rest = fragment.length > 0 ? `#${fragment.join('#')}` : ''
  return `${base}${separator}${new URLSearchParams(parameters)}${rest}`
}
