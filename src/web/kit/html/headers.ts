import { isPlainHost, parseUrl } from '../../../base/text.ts'
import type { Brand } from './brand.ts'

export interface PageSecurity {
  readonly brand?: Brand | undefined
  /** Other origins that forms may post or redirect to; `none`: no form works. */
  readonly formOrigins?: readonly string[] | 'none'
  /** Origins that the page may embed in a frame. */
  readonly frameOrigins?: readonly string[]
  /** The page may be embedded by pages of the same origin; a bank's page by those of any shop. */
  readonly framable?: boolean | 'anywhere'
}

/** Security headers of every page: no inline scripts, no external resources, no referrer. */
export function pageHeaders({ brand, formOrigins = [], frameOrigins = [], framable = false }: PageSecurity) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${brand ? ` ${brand.styleHash}` : ''}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    ['form-action', ...(formOrigins === 'none' ? ["'none'"] : ["'self'", ...formOrigins])].join(' '),
    ...(frameOrigins.length > 0 ? [['frame-src', ...frameOrigins].join(' ')] : []),
    `frame-ancestors ${framable === 'anywhere' ? "'self' https:" : framable ? "'self'" : "'none'"}`,
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

/** The origins of URLs; invalid URLs, and hosts with characters that a policy would read, are skipped. */
export const originsOf = (...urls: readonly (string | null | undefined)[]): string[] => [
  ...new Set(urls.flatMap((url) => originOf(url) ?? [])),
]

function originOf(text: string | null | undefined): string | undefined {
  const url = text ? parseUrl(text) : undefined
  return url && isPlainHost(url.host) ? url.origin : undefined
}
