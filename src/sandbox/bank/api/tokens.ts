import { after } from '../../../base/clock.ts'
import { type Random, randomText } from '../../../base/ids.ts'
import type { Keys } from '../keys.ts'
import { TOKEN_MS } from '../rules/methods.ts'
import { badRequest } from '../rules/refused.ts'
import type { InstrumentDetails } from './instruments.ts'

/**
 * A one-time token contains its data, signed by the bank, so issuing one writes nothing. Its id becomes the
 * id of the payment made with it, so the primary key of the payments prevents a second use.
 */
interface TokenContent extends InstrumentDetails {
  readonly id: string
  readonly account: string
  readonly until: string
}

const PREFIX = 'tok_'
export const ID_LENGTH = 20

export function issueToken(
  keys: Keys,
  random: Random,
  held: { account: string; now: Date; details: InstrumentDetails },
): string {
  const until = after(held.now, TOKEN_MS).toISOString()
  const content: TokenContent = {
    id: randomText(random, ID_LENGTH),
    account: held.account,
    until,
    ...held.details,
  }
  const text = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${PREFIX}${text}.${keys.mac('token', text)}`
}

/** Verifies a token for a card or bank account. */
export function openToken(keys: Keys, token: string, account: string, now: Date): TokenContent {
  const held = opened(keys, token, account, now)
  if (held.isCode) throw badRequest('instrument is a security code only.')
  return held
}

/** Verifies a token for the security code of a stored card. */
export function openCode(keys: Keys, token: string, account: string, now: Date): TokenContent {
  const held = opened(keys, token, account, now)
  if (!held.isCode) throw badRequest('code is not a security code.')
  return held
}

function opened(keys: Keys, token: string, account: string, now: Date): TokenContent {
  const [text = '', mac = ''] = token.slice(PREFIX.length).split('.')
  if (!token.startsWith(PREFIX) || !keys.hasMac('token', text, mac))
    throw badRequest('instrument is not a token.')
  const held = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as TokenContent
  if (held.account !== account) throw badRequest('instrument is not a token of this account.')
  if (held.until <= now.toISOString()) throw badRequest('instrument has expired: a token lives 15 minutes.')
  return held
}
