/**
 * The paths of pages of the console that other parts lead to: e-mails, answers of the API, links for people.
 * An address is the installation's public URL and one of these.
 */

const ofApp = (appId: string, path: string): string => `/console/${appId}/${path}`

export const CONSOLE_PAGES = {
  home: '/console',
  setup: '/console/setup',
  profile: '/console/profile',
  /** The OpenID provider sends people back to it. */
  oidcCallback: '/console/oidc/callback',
  // The first page of a link; the token follows as the next part of the path.
  join: '/console/join',
  resetPassword: '/console/reset-password',
  resetSecondFactor: '/console/reset-second-factor',
  restoreOwner: '/console/restore',

  overview: (appId: string): string => ofApp(appId, 'overview'),
  payment: (appId: string, paymentId: number): string => ofApp(appId, `payments/${paymentId}`),
  authorizedPayments: (appId: string): string => ofApp(appId, 'payments?q=state%3AAuthorized'),
  dispute: (appId: string, disputeId: string | number): string =>
    ofApp(appId, `disputes/${encodeURIComponent(disputeId)}`),
  profileOfProvider: (appId: string, profileId: number): string => ofApp(appId, `providers/${profileId}`),
  webhooks: (appId: string): string => ofApp(appId, 'developers/webhooks'),
  settlementExceptions: (appId: string): string => ofApp(appId, 'payouts/exceptions'),
  settlementSources: (appId: string): string => ofApp(appId, 'payouts/sources'),
  exports: (appId: string): string => ofApp(appId, 'exports'),
  mailSettings: (appId: string): string => ofApp(appId, 'settings/e-mails'),
} as const
