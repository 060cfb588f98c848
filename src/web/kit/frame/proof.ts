import { asksForProof } from '../../../people/access/proof.ts'
import type { SessionRule } from '../../../people/access/rule.ts'
import { hasFreshProof } from '../../../people/sessions/sessions.ts'
import type { PageCall } from '../request/call.ts'
import type { PersonRequest } from './request.ts'

export const PROOF = '/console/profile/proof'

/** The page that asks for a fresh proof and then leads to another page of the console. */
export const proofUrl = (next: string): string => `${PROOF}?next=${encodeURIComponent(next)}`

/** Where the person has to prove first, if the route asks for that and there is no fresh proof. */
export function missingProof(
  { call, person, now }: PersonRequest,
  rule: SessionRule,
  root: string,
): string | undefined {
  if (!asksForProof(rule, call.query) || hasFreshProof(person, now)) return undefined
  return proofUrl(rule.page === undefined ? sameAddress(call) : root + filled(rule.page, call.params))
}

const filled = (page: string, params: PageCall['params']): string =>
  page.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))

/** The address of the request. `nextPage` accepts few characters, so all others are escaped. */
export function sameAddress({ path }: PageCall): string {
  const [base = '', query] = path.split('?')
  const escaped = base.replace(
    /[^\w\-./%:~+@]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
  return escaped + (query === undefined ? '' : `?${new URLSearchParams(query)}`.replaceAll('*', '%2A'))
}
