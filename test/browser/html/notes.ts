/** The notes after a change, by the page that shows them: those of the console relative to its app. */
const NOTES: Readonly<Record<string, readonly string[]>> = {
  '/console/sign-in': [
    ...['ended', 'expired', 'changed', 'joined', 'second-factor-removed', 'passkey-refused'],
    'provider-refused',
  ],
  '/console/forgot': ['sent'],
  '/console/profile': ['saved', 'password', 'off', 'passkey-added', 'passkey-removed', 'ended'],
  '/console/system': ['invited'],
  payments: ['saved', 'removed', 'full', 'name', 'none', 'exists'],
  'payments/{refunded}': ['refund', 'recheck', 'resend', 'no-webhook', 'unavailable', 'mark-refunded'],
  'payments/{authorized}': ['capture', 'cancel', 'recheck'],
  'payments/{held}': ['release'],
  'payments/{disputed}': ['mark-disputed'],
  'payments/{failed}': ['capture', 'cancel', 'refund', 'release'],
  reviews: ['released', 'rejected'],
  'links/{link}': ['created'],
  'customers/{customerId}': ['created', 'edited', 'erased'],
  'customers/{customerId}/methods': ['removed'],
  'customers/{customerId}/auto-payments': ['stopped'],
  'customers/{customerId}/activity': ['blocked', 'unblocked', 'reset', 'policy'],
  'providers/{profileId}': ['saved', 'connected', 'enabled', 'disabled'],
  'providers/{profileId}/connect': ['connected'],
  providers: ['removed'],
  routing: ['saved', 'moved', 'removed'],
  fraud: ['deleted'],
  'fraud/{policyId}': ['created', 'saved', 'default', 'noDefault'],
  'developers/keys': ['revoked'],
  'developers/webhooks': ['saved', 'tested&status=200&ms=12', 'resent-all&count=3'],
  'developers/webhooks/{eventId}': ['resent'],
  'developers/test-tools': ['armed', 'cleared', 'moved', 'held', 'released', 'triggered&payment={refunded}'],
  team: ['invited', 'disconnected', 'changed', 'removed', 'withdrawn', 'signed-out', 'disabled', 'enabled'],
  'team/members/{personId}': ['changed', 'signed-out', 'disabled', 'enabled'],
  settings: ['saved'],
  'settings/checkout': ['saved'],
  'settings/e-mails': ['saved'],
  'settings/data': ['saved'],
  'settings/host': ['saved', 'removed'],
  'settings/danger': ['cleared&count=12', 'part&count=12', 'blocked', 'unblocked'],
}

/** Every note at the page that shows it. `things` are the objects in the places of `{…}`. */
export function notePages(base: string, things: object): { readonly name: string; readonly path: string }[] {
  const values = new Map(Object.entries(things).map(([name, value]) => [name, String(value)]))
  const filled = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => encodeURIComponent(values.get(name) ?? whole))
  return Object.entries(NOTES).flatMap(([page, notes]) =>
    notes.map((note) => ({
      name: `${page.replace('/console/', '')}-${note}`,
      path: `${page.startsWith('/') ? '' : `${base}/`}${filled(`${page}?note=${note}`)}`,
    })),
  )
}
