import type { PageAnswer } from '../../kit/request/answer.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import { signInCookie } from '../../../people/sign-in/cookie.ts'
import type { SignInResult } from '../../../people/sign-in/sign-in.ts'
import type { OpenRequest } from '../../kit/frame/request.ts'
import { nextPage } from './client.ts'

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
