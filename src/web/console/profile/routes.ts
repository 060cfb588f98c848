import { person, type ScreenRoute } from '../../kit/route.ts'
import { endAll, postEndSession, postPassword, postProfile, postTheme, showProfile } from './page.tsx'
import {
  passkeyCreation,
  postPasskey,
  postRemovePasskey,
  showNewPasskey,
  showRemovePasskey,
} from './passkeys.tsx'
import { postPasskeyProof, postProof, proofOptions, showProof } from './proof.tsx'
import { showProtect } from './protect.tsx'
import { postSetUp, secondFactorQuestions, showSetUp } from './second-factor.tsx'

const PROOF = { proof: true } as const

/** What people change about themselves. Changes of how they sign in ask for a fresh proof. */
export function profileScreens(): ScreenRoute[] {
  return [
    person('GET', '/protect', showProtect),
    person('GET', '/profile', (request) => showProfile(request)),
    person('POST', '/profile', postProfile),
    person('POST', '/profile/theme', postTheme),
    person('POST', '/profile/password', postPassword, { proof: true, page: '/profile' }),
    person('GET', '/profile/proof', (request) => showProof(request)),
    person('POST', '/profile/proof', postProof),
    person('GET', '/profile/proof/passkey', proofOptions),
    person('POST', '/profile/proof/passkey', postPasskeyProof),
    person('GET', '/profile/second-factor', showSetUp, PROOF),
    person('POST', '/profile/second-factor', postSetUp, PROOF),
    ...secondFactorQuestions,
    person('GET', '/profile/passkeys/new', (request) => showNewPasskey(request), PROOF),
    person('POST', '/profile/passkeys/new', postPasskey, PROOF),
    person('GET', '/profile/passkeys/new/options', passkeyCreation, PROOF),
    person('GET', '/profile/passkeys/remove', showRemovePasskey, PROOF),
    person('POST', '/profile/passkeys/remove', postRemovePasskey, PROOF),
    person('POST', '/profile/sessions/end', postEndSession),
    ...endAll,
  ]
}
