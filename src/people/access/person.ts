import type { SessionRule } from './rule.ts'

const PROOF = { proof: true } as const

/**
 * What routes of the API for every person with a session ask beyond it. Routes that are missing ask for
 * nothing more.
 */
export const PERSON_ROUTES: Readonly<Record<string, SessionRule>> = {
  'GET /api/licenses/best-license': { proof: true, onlyWith: 'generateBot' },
  'POST /api/team/users/{userId}/bot/reset-api-key': PROOF,
  'PATCH /api/team/users/{userId}/bot': PROOF,
  'POST /api/apps/{appId}/twofactor/qr-code': PROOF,
  'POST /api/apps/{appId}/twofactor/activate': PROOF,
  'POST /api/apps/{appId}/twofactor/deactivate': PROOF,
}
