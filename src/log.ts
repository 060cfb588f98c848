import { type DestinationStream, pino } from 'pino'
import { maskCardNumbers } from './base/cards/find.ts'
import type { Log } from './base/log.ts'

/** Masks for keys, secrets, tokens and card numbers that end up in a logged text by mistake. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bsk_(sandbox|live)_[0-9a-z]+/g, 'sk_$1_***'],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, 'whsec_***'],
  [/\blc_[0-9a-z]+/g, 'lc_***'],
  [/\b(bearer|basic) +[^\s"]+/gi, '$1 ***'],
  [/\/\/[^/\s:@"]+:[^/\s@"]+@/g, '//***@'],
  [/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, '[digits]'],
]

/** Matches every text that a mask above could match: a fast check, negative for nearly every text. */
const SUSPICIOUS = /sk_|whsec_|lc_|bearer|basic|\/\/|\d(?:[ -]?\d){12}/i

function scrub(text: string): string {
  // Card numbers in any notation, then every plain group of digits of that length.
  let clean = maskCardNumbers(text, '[digits]')
  if (!SUSPICIOUS.test(clean)) return clean
  for (const [secret, mask] of SECRETS) clean = clean.replace(secret, mask)
  return clean
}

/** Writes of up to this size to a pipe are atomic, so lines of several processes do not interleave. */
const MAX_WRITE = 4_096
const LONGEST_MS = 20

/** Lines are written together when they fill a write, and after 20 ms at the latest. */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: false, maxWrite: MAX_WRITE, minLength: MAX_WRITE - 1 })
  let isDue = false
  const flush = () => {
    isDue = false
    out.flush()
  }
  return {
    write(line) {
      out.write(line)
      if (!isDue) setTimeout(flush, LONGEST_MS).unref()
      isDue = true
    },
  }
}

/** One line of JSON for each event. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const write = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'event',
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? standardOutput(),
  )
  const line =
    (to: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, data: object = {}) => {
      if (write.isLevelEnabled(to)) write[to](clean(data), event)
    }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}

function clean(data: object): object {
  const cleaned: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data))
    cleaned[name] = typeof value === 'string' ? scrub(value) : value
  return cleaned
}
