import { sha256 } from '../../../base/secret.ts'
import type { Context } from '../../../context.ts'
import { createRateLimiter, type RatePolicy, type Reservation } from '../../../http/limits/rate-limit.ts'

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
  /** There may be no such link. Throws 429. */
  unknown(client: PageClient): Reservation
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
    unknown: ({ network, isPost }) => (isPost ? unknownForms : unknownViews).reserve(network),
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

/** A request that was let in before its body was read. */
export interface PageEntry {
  /** The link or session exists: charges its limit, unless that was done on entry. Throws 429. */
  admit(link: string): void
  /** After the work. A request that found no link stays charged as unknown, unless the service failed. */
  leave(hasFailed: boolean): void
}

/** Links that requests have found, by what the requests carried: their limits are taken on entry. */
const MAX_KNOWN = 20_000

/**
 * Limits by the link that the work finds, or by address if it finds none. Those of a form are taken before
 * its body is read: that of a link that this node found before, or a token of unknown ones, which is given
 * back when a link is found.
 */
export function createLinkEntry(ctx: Pick<Context, 'clock' | 'sharedLimits'>, name: string) {
  const limits = createPageLimits(ctx, name)
  /** In order of use. */
  const known = new Map<string, string>()
  const remember = (credential: string, link: string) => {
    known.delete(credential)
    known.set(credential, link)
    const [oldest] = known.size > MAX_KNOWN ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
  }
  return (client: PageClient, credential: string | undefined): PageEntry => {
    const key = credential && shortHash(credential)
    const expected = key ? known.get(key) : undefined
    if (expected !== undefined) limits.found(client, expected)
    // A GET has no body, and `leave` takes its token: unknown links do not block those of payers.
    let reserved = expected === undefined && client.isPost ? limits.unknown(client) : undefined
    let admitted: string | undefined
    return {
      admit(link) {
        if (admitted !== undefined) return
        admitted = link
        reserved?.giveBack()
        reserved = undefined
        if (link !== expected) limits.found(client, link)
        if (key) remember(key, link)
      },
      leave(hasFailed) {
        if (admitted !== undefined) return
        if (hasFailed) return void reserved?.giveBack()
        if (key) known.delete(key)
        // A link that has ended counts as unknown. The answer may become a 429: no work changed anything.
        const token = reserved ?? limits.unknown(client)
        token.keep()
      },
    }
  }
}
