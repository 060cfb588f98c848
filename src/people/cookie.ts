import type { Context } from '../context.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

const isSecure = ({ config }: Pick<Context, 'config'>): boolean => config.publicUrl.startsWith('https:')

/** Browsers accept the prefix `__Host-` only over https, and then only from this very host. */
export const cookieName = (ctx: Pick<Context, 'config'>): string =>
  isSecure(ctx) ? '__Host-console' : 'console'

/** An empty token deletes the cookie. */
export function sessionCookie(ctx: Pick<Context, 'config'>, token: string): string {
  const secure = isSecure(ctx) ? '; Secure' : ''
  const gone = token === '' ? '; Max-Age=0' : ''
  return `${cookieName(ctx)}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}${gone}`
}

/** Values that the service did not set are ignored. */
export function readCookie(headers: Headers, name: string): string | undefined {
  const cookies = String(headers.cookie ?? '').split(/;\s*/)
  const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
  return value !== undefined && /^[\w-]{1,128}$/.test(value) ? value : undefined
}

/** A browser sent the request from another site. Clients that are not browsers send neither header. */
export function isForeign({ config }: Pick<Context, 'config'>, headers: Headers): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  return origin !== undefined && origin !== new URL(config.publicUrl).origin
}
