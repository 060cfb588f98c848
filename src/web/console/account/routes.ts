import { open, person, type ScreenRoute } from '../../kit/route.ts'
import { postForgot, showForgot } from './forgot.tsx'
import { acceptInvitation, showInvitation } from './links.tsx'
import {
  codePasskeyOptions,
  passkeyOptions,
  postCodePasskey,
  postPasskey,
  singleSignOnCallback,
  startProofAtProvider,
  startSingleSignOn,
} from './other-ways.tsx'
import { passwordReset, postSecondFactorReset, showSecondFactorReset } from './resets.tsx'
import { postSetup, showSetup } from './setup.tsx'
import { home, postCode, postSignIn, showCode, showSignIn, signOut, start } from './sign-in.tsx'

/** Set-up, sign-in, invitations and lost access. */
export function accountScreens(): ScreenRoute[] {
  const reset = passwordReset('password-reset')
  const restore = passwordReset('owner-restore')
  return [
    open('GET', '', start),
    person('GET', '/home', home),
    open('GET', '/setup', (request) => showSetup(request)),
    open('POST', '/setup', postSetup),
    open('GET', '/sign-in', showSignIn),
    open('POST', '/sign-in', postSignIn),
    open('GET', '/sign-in/code', showCode),
    open('POST', '/sign-in/code', postCode),
    open('GET', '/sign-in/passkey', passkeyOptions),
    open('POST', '/sign-in/passkey', postPasskey),
    open('GET', '/sign-in/code/passkey', codePasskeyOptions),
    open('POST', '/sign-in/code/passkey', postCodePasskey),
    open('GET', '/oidc/start', startSingleSignOn),
    person('GET', '/oidc/proof', startProofAtProvider),
    open('GET', '/oidc/callback', singleSignOnCallback),
    person('POST', '/sign-out', signOut),
    open('GET', '/join/{token}', (request) => showInvitation(request)),
    open('POST', '/join/{token}', acceptInvitation),
    open('GET', '/reset-password/{token}', reset.show),
    open('POST', '/reset-password/{token}', reset.post),
    open('GET', '/restore/{token}', restore.show),
    open('POST', '/restore/{token}', restore.post),
    open('GET', '/reset-second-factor/{token}', showSecondFactorReset),
    open('POST', '/reset-second-factor/{token}', postSecondFactorReset),
    open('GET', '/forgot', (request) => showForgot(request)),
    open('POST', '/forgot', postForgot),
  ]
}
