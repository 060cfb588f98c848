import { sessionCookie } from '../../../people/cookie.ts'
import type { SignInClient } from '../../../people/person.ts'
import { signInCookie } from '../../../people/sign-in/cookie.ts'
import type { SignInResult } from '../../../people/sign-in/sign-in.ts'
import type { OpenRequest } from '../../kit/frame/request.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import type { PageCall } from '../../kit/request/call.ts'

/** The client of a request, as a session records it. */
export const clientOf = ({ address, network, headers, requestId }: PageCall): SignInClient => ({
  address,
  network,
  requestId,
  userAgent: typeof headers['user-agent'] === 'string' ? headers['user-agent'] : undefined,
})

const START = '/console'

/** Where to go after the sign-in: only a page of this service. */
export function nextPage(next: string | undefined): string {
  const isOwn = next !== undefined && /^\/(?:console|auth)(?:[/?][\w\-./?=&%:~+@]*)?$/.test(next)
  return isOwn && !next.includes('//') ? next : START
}

/** On to the second factor, or into the console with a new session. */
export function afterStep(
  { ctx, call }: OpenRequest,
  result: Extract<SignInResult, { token: string }>,
  next = nextPage(call.form.get('next') ?? call.query.next),
): PageAnswer {
  if (result.kind === 'second-factor')
    return {
      location: `/console/sign-in/code?next=${encodeURIComponent(next)}`,
      headers: { 'set-cookie': signInCookie(ctx, result.token) },
    }
  const cookies = [sessionCookie(ctx, result.token), signInCookie(ctx, undefined)]
  return { location: next, headers: { 'set-cookie': cookies } }
}
