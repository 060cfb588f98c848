import type { Context } from '../../context.ts'
import { cookieText, isSecure, readCookie } from '../../http/client/cookie.ts'

type Ctx = { readonly config: Pick<Context['config'], 'publicUrl'> }

const nameOf = (ctx: Ctx): string => `${isSecure(ctx) ? '__Host-' : ''}console-sign-in`

/**
 * The cookie between the steps of a sign-in: the token of a pending sign-in, or the signed value of a
 * challenge. It opens nothing. Without a value it is removed.
 */
export const signInCookie = (ctx: Ctx, value: string | undefined): string =>
  cookieText(ctx, { name: nameOf(ctx), value: value ?? '' })

export const readSignInCookie = (ctx: Ctx, headers: Parameters<typeof readCookie>[0]): string | undefined =>
  readCookie(headers, nameOf(ctx))
