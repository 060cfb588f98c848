type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Pages at https set cookies for https only. */
interface Site {
  readonly config: { readonly publicUrl: string }
}

export const isSecure = ({ config }: Site): boolean => config.publicUrl.startsWith('https:')

interface Cookie {
  readonly name: string
  /** Empty: the cookie is deleted. */
  readonly value: string
  readonly path?: string
}

/** A session cookie that scripts cannot read. Lax: it comes along with links from other sites. */
export function cookieText(site: Site, { name, value, path = '/' }: Cookie): string {
  const secure = isSecure(site) ? '; Secure' : ''
  const gone = value === '' ? '; Max-Age=0' : ''
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax${secure}${gone}`
}

/** Longer than the signed value of a sign-in by OpenID Connect. */
const MAX_LENGTH = 2_048
/** The service sets only values without escapes; others are ignored. */
const VALUE = /^[\w.-]+$/

export function readCookie(headers: Headers, name: string): string | undefined {
  const start = `${name}=`
  const cookies = String(headers.cookie ?? '').split(/;\s*/)
  const value = cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length)
  return value !== undefined && value.length <= MAX_LENGTH && VALUE.test(value) ? value : undefined
}
