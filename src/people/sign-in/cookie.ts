import type { Context } from '../../context.ts'

type Ctx = { readonly config: Pick<Context['config'], 'publicUrl'> }
type Headers = Readonly<Record<string, string | string[] | undefined>>

const isHttps = ({ config }: Ctx): boolean => config.publicUrl.startsWith('https:')

const nameOf = (ctx: Ctx): string => `${isHttps(ctx) ? '__Host-' : ''}console-sign-in`

/** Longer than the signed value of a sign-in by OpenID Connect. */
const MAX_LENGTH = 2_048

/**
 * The cookie between the steps of a sign-in: the token of a pending sign-in, or the signed value of a
 * challenge. It opens nothing. Lax, as the OpenID provider leads back with a link. Without a value it is
 * removed.
 */
export function signInCookie(ctx: Ctx, value: string | undefined): string {
  const gone = value === undefined ? '; Max-Age=0' : ''
  const secure = isHttps(ctx) ? '; Secure' : ''
  return `${nameOf(ctx)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${gone}`
}

export function readSignInCookie(ctx: Ctx, headers: Headers): string | undefined {
  const start = `${nameOf(ctx)}=`
  const value = String(headers.cookie ?? '')
    .split(/;\s*/)
    .find((cookie) => cookie.startsWith(start))
    ?.slice(start.length)
  return value !== undefined && value.length <= MAX_LENGTH && /^[\w.-]+$/.test(value) ? value : undefined
}
