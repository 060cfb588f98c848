import { person, type ScreenRoute } from '../../kit/route.ts'
import { endAll, postEndSession, postPassword, postProfile, postTheme, showProfile } from './page.tsx'
import {
  askRemovePasskey,
  passkeyCreation,
  postPasskey,
  postRemovePasskey,
  showNewPasskey,
} from './passkeys.tsx'
import { postPasskeyProof, postProof, proofOptions, showProof } from './proof.tsx'
import { showProtect } from './protect.tsx'
import { askRenew, askTurnOff, postRenew, postSetUp, postTurnOff, showSetUp } from './second-factor.tsx'

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
    person('GET', '/profile/second-factor', showSetUp, { proof: true }),
    person('POST', '/profile/second-factor', postSetUp, { proof: true }),
    person('GET', '/profile/second-factor/off', askTurnOff, { proof: true }),
    person('POST', '/profile/second-factor/off', postTurnOff, { proof: true }),
    person('GET', '/profile/second-factor/codes', askRenew, { proof: true }),
    person('POST', '/profile/second-factor/codes', postRenew, { proof: true }),
    person('GET', '/profile/passkeys/new', (request) => showNewPasskey(request), { proof: true }),
    person('POST', '/profile/passkeys/new', postPasskey, { proof: true }),
    person('GET', '/profile/passkeys/new/options', passkeyCreation, { proof: true }),
    person('GET', '/profile/passkeys/remove', askRemovePasskey, { proof: true }),
    person('POST', '/profile/passkeys/remove', postRemovePasskey, { proof: true }),
    person('POST', '/profile/sessions/end', postEndSession),
    ...endAll,
  ]
}
