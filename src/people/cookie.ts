import type { Context } from '../context.ts'
import { cookieText, isSecure } from '../http/client/cookie.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Browsers accept the prefix `__Host-` only over https, and then only from this very host. */
export const cookieName = (ctx: Pick<Context, 'config'>): string =>
  isSecure(ctx) ? '__Host-console' : 'console'

/** An empty token deletes the cookie. */
export const sessionCookie = (ctx: Pick<Context, 'config'>, token: string): string =>
  cookieText(ctx, { name: cookieName(ctx), value: token })

/** A browser sent the request from another site. Clients that are not browsers send neither header. */
export function isForeign({ config }: Pick<Context, 'config'>, headers: Headers): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  return origin !== undefined && origin !== new URL(config.publicUrl).origin
}
