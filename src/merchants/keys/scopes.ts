/**
 * What an API key can be limited to; people/access/scopes.ts says what each of them may do. A key without
 * scopes may do everything.
 */
export const KEY_SCOPES = ['read', 'payments', 'refunds', 'reviews', 'customers', 'settings'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]
