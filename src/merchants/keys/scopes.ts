/**
 * What an API key can be limited to; people/access/scopes.ts says what each of them may do. A key without
 * scopes has full access.
 */
export const KEY_SCOPES = ['read', 'payments', 'refunds', 'reviews', 'customers', 'settings'] as const
/** The scopes of a new key for which none is named: the least. */
export const DEFAULT_SCOPES: readonly KeyScope[] = ['read']

export type KeyScope = (typeof KEY_SCOPES)[number]
