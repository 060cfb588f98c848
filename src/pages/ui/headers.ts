import type { Brand } from './brand.ts'

export interface PageSecurity {
  readonly brand?: Brand | undefined
  /** Origins beside our own that forms may go to, directly or by redirection. */
  readonly formOrigins?: readonly string[]
  /** Origins that may stand in a frame: only where a page has one. */
  readonly frameOrigins?: readonly string[]
  /** Pages of ours that may stand in a frame of our own. */
  readonly framable?: boolean
}

/**
 * No inline script, nothing from elsewhere, nothing that leaks the address: the headers of every payer's
 * page.
 */
export function pageHeaders({ brand, formOrigins = [], frameOrigins = [], framable = false }: PageSecurity) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${brand ? ` ${brand.styleHash}` : ''}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    ['form-action', "'self'", ...formOrigins].join(' '),
    ...(frameOrigins.length > 0 ? [['frame-src', ...frameOrigins].join(' ')] : []),
    `frame-ancestors ${framable ? "'self'" : "'none'"}`,
    "base-uri 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(framable ? {} : { 'x-frame-options': 'DENY' }),
  }
}

/** The origin of an address; nothing for one that cannot be parsed. */
export const originsOf = (...urls: readonly (string | null | undefined)[]): string[] => [
  ...new Set(urls.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []))),
]
