/** Pages for people who are not signed in: set-up, sign-in, invitations, lost access. */
export const account = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 12 characters. A few unrelated words are easy to remember.',
  name: 'Your name',
  licenseName: 'Name of your business',
  signIn: 'Sign in',
  forgot: 'Forgot your password?',
  withPasskey: 'Use a passkey',
  withProvider: (name: string) => `Continue with ${name}`,
  passkeyFailed: 'No passkey was used. Try again, or choose another way.',
  refused: 'E-mail or password is wrong.',
  refusedCode: 'The code is wrong or was used already.',
  wait: (seconds: string) => `Too many tries. Wait ${seconds} seconds, then try again.`,

  codeTitle: 'Second step',
  code: 'Code',
  codeHint: 'Six digits from your authenticator app, or one of your recovery codes.',
  codeButton: 'Sign in',

  setupTitle: 'Set up Tender',
  setupIntro: 'Create the account of the owner. Further people are invited from the team page.',
  setupWrong: 'This link is not valid',
  setupWrongBody: 'Start the service and open the address that it prints after “Console”.',
  setupNoToken: 'Set OPERATOR_TOKEN and start the service again: the set-up asks for this token.',
  operatorToken: 'Operator token',
  operatorTokenHint: 'The setting OPERATOR_TOKEN of this installation.',
  createAccount: 'Create account',

  joinTitle: (business: string) => `Join ${business}`,
  joinIntro: (email: string, role: string) => `You were invited as ${role}, with the address ${email}.`,
  joinSignIn: 'There is an account with this address. Sign in to accept the invitation.',
  join: 'Join the team',
  joinUnproved:
    'The e-mail address of this account is not verified, so it cannot join a second merchant. Sign in at ' +
    'your OpenID provider, or get a link for a new password by e-mail. Everything that was set before then ' +
    'ends.',
  joinOther: (email: string) => `The invitation is for ${email}. Sign out first.`,

  resetTitle: 'Choose a new password',
  resetButton: 'Change password',
  restoreTitle: 'Restore your access',
  restoreIntro:
    'Choose a new password. The second factor, passkeys and sign-ins at OpenID providers are removed too; ' +
    'set them up again after signing in.',
  firstProof:
    'This proves for the first time that the e-mail address is yours. Password, passkeys, second factor, ' +
    'sign-ins at OpenID providers and sessions from before end.',
  otherWays: 'These also open your account:',
  endedWays: 'These open your account until then:',
  otherPasskey: 'Passkey',
  otherProvider: 'Single sign-on',
  removeOthers: 'Remove all of them. Keep this ticked unless you know each one.',
  secondTitle: 'Remove the second factor',
  secondIntro: 'Your password is still needed to sign in. Set up a new second factor afterwards.',
  secondButton: 'Remove second factor',
  linkGone: 'This link has expired or was used already',
  linkGoneBody: 'Ask for a new one.',

  forgotTitle: 'Forgot your password?',
  forgotIntro: 'Enter the e-mail address of your account. You get a link for a new password.',
  sendReset: 'Send link',
  resetSent: 'If there is an account with this address, a link is on its way. It is valid for a day.',
  forgotBody:
    'Ask an admin or owner of your team for a reset link: they find it on the team page, beside ' +
    'your name. An owner who has lost access asks the operator of this installation.',
  back: 'Back to sign in',

  grantTitle: 'Connect a shop',
  grantAsks:
    'asks for access to your payments. It gets API keys of the sandbox app and of the live app, ' +
    'with which it may:',
  grantList: [
    'create, capture, cancel and refund payments',
    'see the history of payments',
    'see and change customers',
    'manage payment providers and settings',
  ],
  grantLicense: 'Licence',
  grantWarning:
    'Grant this only if you came from that site yourself. You can disconnect it on the team page.',
  grantForbidden: 'Only owners and admins may connect a shop. Ask one of them.',
  grant: 'Grant',
  deny: 'Deny',
  grantWrong: 'This link is not valid',
  grantWrongBody: 'The address to return to must begin with https:// or http://.',
  notes: {
    ended: 'You are signed out.',
    expired: 'Please sign in again.',
    changed: 'Your password is changed. Please sign in.',
    joined: 'Your account is ready. Please sign in.',
    'second-factor-removed': 'The second factor is removed. Please sign in and set up a new one.',
    'passkey-refused': 'The passkey was not accepted. Try again, or use your password.',
    'provider-refused': 'The single sign-on did not succeed. Ask an owner or admin whether you are invited.',
  },
}
