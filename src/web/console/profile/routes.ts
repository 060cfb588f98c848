import type { Route } from '../../../http/route.ts'
import type { Screens } from '../frame/screens.tsx'
import {
  askEndAll,
  postEndAll,
  postEndSession,
  postPassword,
  postProfile,
  postTheme,
  showProfile,
} from './page.tsx'
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
export function profileScreens({ person }: Screens): Route[] {
  return [
    person('GET', '/protect', showProtect),
    person('GET', '/profile', (visit) => showProfile(visit)),
    person('POST', '/profile', postProfile),
    person('POST', '/profile/theme', postTheme),
    person('POST', '/profile/password', postPassword),
    person('GET', '/profile/proof', (visit) => showProof(visit)),
    person('POST', '/profile/proof', postProof),
    person('GET', '/profile/proof/passkey', proofOptions),
    person('POST', '/profile/proof/passkey', postPasskeyProof),
    person('GET', '/profile/second-factor', showSetUp),
    person('POST', '/profile/second-factor', postSetUp),
    person('GET', '/profile/second-factor/off', askTurnOff),
    person('POST', '/profile/second-factor/off', postTurnOff),
    person('GET', '/profile/second-factor/codes', askRenew),
    person('POST', '/profile/second-factor/codes', postRenew),
    person('GET', '/profile/passkeys/new', (visit) => showNewPasskey(visit)),
    person('POST', '/profile/passkeys/new', postPasskey),
    person('GET', '/profile/passkeys/new/options', passkeyCreation),
    person('GET', '/profile/passkeys/remove', askRemovePasskey),
    person('POST', '/profile/passkeys/remove', postRemovePasskey),
    person('POST', '/profile/sessions/end', postEndSession),
    person('GET', '/profile/sessions/end-all', askEndAll),
    person('POST', '/profile/sessions/end-all', postEndAll),
  ]
}
