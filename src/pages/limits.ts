import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { createRateLimiter, type RatePolicy } from '../http/limits/rate-limit.ts'

type Pace = Omit<RatePolicy, 'name'>

/** Looking is cheap, trying to pay is not. Of one link, by one client. */
const LOOKS: Pace = { perSecond: 20, burst: 200 }
const TRIES: Pace = { perSecond: 4, burst: 60 }
/** Links, sessions and signatures that are not ours, of one client. */
const UNKNOWN: Pace = { perSecond: 20, burst: 200 }

/**
 * Payers are limited by their link and address, so those behind one address, or behind a proxy that is not
 * listed, do not use up each other's share. Wrong links are counted apart, by address: they take nothing from
 * those who hold a link.
 */
export interface PageLimits {
  /** The link exists. Throws 429. */
  found(asker: Asker, link: string): void
  /** There is no such link. Throws 429. */
  unknown(asker: Asker): void
}

export interface Asker {
  readonly network: string
  readonly isPost: boolean
}

export function createPageLimits(ctx: Pick<Context, 'clock' | 'sharedLimits'>, name: string): PageLimits {
  const limiter = (pace: Pace, of: string) =>
    createRateLimiter(ctx.clock, { ...pace, name: `${name} ${of}` }, ctx.sharedLimits)
  const looks = limiter(LOOKS, 'page')
  const tries = limiter(TRIES, 'form')
  const wrongLooks = limiter(UNKNOWN, 'unknown')
  const wrongTries = limiter(TRIES, 'unknown form')
  return {
    found: ({ network, isPost }, link) => void (isPost ? tries : looks).take(`${network} ${shortOf(link)}`),
    unknown: ({ network, isPost }) => void (isPost ? wrongTries : wrongLooks).take(network),
  }
}

/** Other nodes hear of it: enough to tell links apart, not enough to open one. */
const shortOf = (link: string): string => sha256(link).toString('base64url', 0, 9)

/** The pages of the sandbox provider: only test payments come here, and a look at them costs more. */
const BANK_LOOKS: Pace = { perSecond: 50, burst: 500 }
const BANK_TRIES: Pace = { perSecond: 20, burst: 200 }

/** Counts by address alone, before anything is looked up. */
export function createAddressLimits(ctx: Pick<Context, 'clock' | 'sharedLimits'>, name: string) {
  const looks = createRateLimiter(ctx.clock, { ...BANK_LOOKS, name: `${name} page` }, ctx.sharedLimits)
  const tries = createRateLimiter(ctx.clock, { ...BANK_TRIES, name: `${name} form` }, ctx.sharedLimits)
  return ({ network, isPost }: Asker): void => void (isPost ? tries : looks).take(network)
}
