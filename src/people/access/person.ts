import type { SessionRule } from './rule.ts'

const PROOF = { proof: true } as const
const OPERATOR = { proof: true, operator: true } as const
const SECOND_FACTOR = '/console/profile/second-factor'
const PASSKEYS = '/console/profile/passkeys'
const LICENSES = '/console/system/licenses'

/**
 * What routes for every person with a session ask beyond it: those of the API, of the profile, of the page
 * that connects shops and of the operator. Routes that are missing ask for nothing more.
 */
export const PERSON_ROUTES: Readonly<Record<string, SessionRule>> = {
  'GET /api/licenses/best-license': { proof: true, onlyWith: 'generateBot' },
  'POST /api/team/users/{userId}/bot/reset-api-key': PROOF,
  'PATCH /api/team/users/{userId}/bot': PROOF,
  'POST /api/apps/{appId}/twofactor/qr-code': PROOF,
  'POST /api/apps/{appId}/twofactor/activate': PROOF,
  'POST /api/apps/{appId}/twofactor/deactivate': PROOF,
  'GET /auth/signin': { proof: true, onlyWith: 'grantAuthorization' },
  'POST /auth/signin': PROOF,
  'POST /console/profile/password': { proof: true, page: '/profile' },
  [`GET ${SECOND_FACTOR}`]: PROOF,
  [`POST ${SECOND_FACTOR}`]: PROOF,
  [`GET ${SECOND_FACTOR}/off`]: PROOF,
  [`POST ${SECOND_FACTOR}/off`]: PROOF,
  [`GET ${SECOND_FACTOR}/codes`]: PROOF,
  [`POST ${SECOND_FACTOR}/codes`]: PROOF,
  [`GET ${PASSKEYS}/new`]: PROOF,
  [`POST ${PASSKEYS}/new`]: PROOF,
  [`GET ${PASSKEYS}/new/options`]: PROOF,
  [`GET ${PASSKEYS}/remove`]: PROOF,
  [`POST ${PASSKEYS}/remove`]: PROOF,
  [`GET ${LICENSES}/new`]: OPERATOR,
  [`POST ${LICENSES}/new`]: OPERATOR,
  [`GET ${LICENSES}/{licenseId}/invite`]: OPERATOR,
  [`POST ${LICENSES}/{licenseId}/invite`]: OPERATOR,
  [`GET ${LICENSES}/{licenseId}/enter`]: OPERATOR,
  [`POST ${LICENSES}/{licenseId}/enter`]: OPERATOR,
}
