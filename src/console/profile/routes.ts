import type { Route } from '../../http/route.ts'
import type { PageAnswer } from '../../pages/page-route.tsx'
import type { Screens } from '../frame/screens.tsx'
import type { Visit } from '../frame/visit.ts'
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
  NEW_PASSKEY,
  passkeyCreation,
  postPasskey,
  postRemovePasskey,
  removalPage,
  showNewPasskey,
} from './passkeys.tsx'
import { postPasskeyProof, postProof, proofOptions, showProof, withProof } from './proof.tsx'
import { showProtect, withFrom } from './protect.tsx'
import {
  askRenew,
  askTurnOff,
  postRenew,
  postSetUp,
  postTurnOff,
  SECOND_FACTOR,
  showSetUp,
} from './second-factor.tsx'

type Handler = (visit: Visit) => PageAnswer | Promise<PageAnswer>

/** What people change about themselves. Changes of how they sign in need a fresh proof. */
export function profileScreens({ person }: Screens): Route[] {
  const proven = (page: string, handler: Handler) =>
    withProof<Visit>((visit) => withFrom(visit, page), handler)
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
    person('GET', '/profile/second-factor', proven(SECOND_FACTOR, showSetUp)),
    person('POST', '/profile/second-factor', proven(SECOND_FACTOR, postSetUp)),
    person('GET', '/profile/second-factor/off', proven(`${SECOND_FACTOR}/off`, askTurnOff)),
    person('POST', '/profile/second-factor/off', proven(`${SECOND_FACTOR}/off`, postTurnOff)),
    person('GET', '/profile/second-factor/codes', proven(`${SECOND_FACTOR}/codes`, askRenew)),
    person('POST', '/profile/second-factor/codes', proven(`${SECOND_FACTOR}/codes`, postRenew)),
    person(
      'GET',
      '/profile/passkeys/new',
      proven(NEW_PASSKEY, (visit) => showNewPasskey(visit)),
    ),
    person('POST', '/profile/passkeys/new', proven(NEW_PASSKEY, postPasskey)),
    person('GET', '/profile/passkeys/new/options', proven(NEW_PASSKEY, passkeyCreation)),
    person('GET', '/profile/passkeys/remove', withProof(removalPage, askRemovePasskey)),
    person('POST', '/profile/passkeys/remove', withProof(removalPage, postRemovePasskey)),
    person('POST', '/profile/sessions/end', postEndSession),
    person('GET', '/profile/sessions/end-all', askEndAll),
    person('POST', '/profile/sessions/end-all', postEndAll),
  ]
}
