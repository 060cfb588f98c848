import { createCounter } from '../../../base/counter.ts'
import { cut, folded } from '../../../base/text.ts'
import type { Context } from '../../../context.ts'
import type { Profile } from '../../../merchants/app.ts'
import { slot } from '../../../node/slot.ts'

/** Longer values are cut: they come from outside. */
const MOST_SHOWN = 100

const MOST_CODES = 1_000

export const unlistedCodes = slot('unlistedCodes', () => createCounter(MOST_CODES), {
  holds: 'counts of unknown decline codes, a thousand at most',
  until: 'a restart',
  restart: 'the counts',
})

/** Counts a value that an adapter does not know, so that its tables can grow. */
export function countUnlisted(
  ctx: Pick<Context, 'log' | 'meter' | 'node'>,
  { provider }: Pick<Profile, 'provider'>,
  value: string,
): void {
  const code = cut(folded(value), MOST_SHOWN)
  ctx.meter?.unlisted(provider)
  const count = unlistedCodes(ctx).add(`${provider} ${code}`)
  ctx.log.warn('provider.unlisted_code', { provider, code, count })
}
