import type { PageCall } from '../../kit/request/call.ts'
import type { SignInClient } from '../../../people/person.ts'

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
