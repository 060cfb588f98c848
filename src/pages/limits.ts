import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { createRateLimiter, type RatePolicy } from '../http/limits/rate-limit.ts'

type Rate = Omit<RatePolicy, 'name'>

/** Limits per link and client. Forms are stricter than page views: an attempt to pay costs more. */
const PAGE_VIEWS: Rate = { perSecond: 20, burst: 200 }
const FORMS: Rate = { perSecond: 4, burst: 60 }
/** Unknown links, sessions and signatures, per client. */
const UNKNOWN: Rate = { perSecond: 20, burst: 200 }

/**
 * Payers are limited by link and address, so payers behind one address, or behind an unlisted proxy, do not
 * share a bucket. Unknown links are limited by address in separate buckets, so they cannot exhaust those of
 * valid links.
 */
export interface PageLimits {
  /** The link exists. Throws 429. */
  found(client: PageClient, link: string): void
  /** There is no such link. Throws 429. */
  unknown(client: PageClient): void
}

export interface PageClient {
  readonly network: string
  readonly isPost: boolean
}

export function createPageLimits(ctx: Pick<Context, 'clock' | 'sharedLimits'>, name: string): PageLimits {
  const limiter = (rate: Rate, of: string) =>
    createRateLimiter(ctx.clock, { ...rate, name: `${name} ${of}` }, ctx.sharedLimits)
  const views = limiter(PAGE_VIEWS, 'page')
  const forms = limiter(FORMS, 'form')
  const unknownViews = limiter(UNKNOWN, 'unknown')
  const unknownForms = limiter(FORMS, 'unknown form')
  return {
    found: ({ network, isPost }, link) => void (isPost ? forms : views).take(`${network} ${shortHash(link)}`),
    unknown: ({ network, isPost }) => void (isPost ? unknownForms : unknownViews).take(network),
  }
}

/** The key is shared with other nodes: the truncated hash tells links apart but does not reveal them. */
const shortHash = (link: string): string => sha256(link).toString('base64url', 0, 9)

/** Pages of the sandbox provider, for test payments only. */
const SANDBOX_PAGE_VIEWS: Rate = { perSecond: 50, burst: 500 }
const SANDBOX_FORMS: Rate = { perSecond: 20, burst: 200 }

/** Limits by address alone, before any read. */
export function createAddressLimits(ctx: Pick<Context, 'clock' | 'sharedLimits'>, name: string) {
  const views = createRateLimiter(
    ctx.clock,
    { ...SANDBOX_PAGE_VIEWS, name: `${name} page` },
    ctx.sharedLimits,
  )
  const forms = createRateLimiter(ctx.clock, { ...SANDBOX_FORMS, name: `${name} form` }, ctx.sharedLimits)
  return ({ network, isPost }: PageClient): void => void (isPost ? forms : views).take(network)
}
