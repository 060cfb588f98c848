import { describe, expect, it } from 'vitest'
import { hasCardNumber } from './find.ts'

/**
 * The false positive rate of card number detection. Each kind uses a fixed seed, so the rates
 * are the same in every run; the decision record about card numbers states them.
 */
const SIZE = 10_000

/** mulberry32: small, seeded, good enough for digits. */
function seeded(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  const digits = (count: number) => Array.from({ length: count }, () => below(10)).join('')
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  return { below, digits, pick }
}
type Make = (random: ReturnType<typeof seeded>) => string

const group = (text: string, size: number, separator: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(separator)

const LETTERS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789']
const word = (random: ReturnType<typeof seeded>, length: number): string =>
  Array.from({ length }, () => random.pick(LETTERS)).join('')

const day = ({ below }: ReturnType<typeof seeded>): Date =>
  new Date(Date.UTC(2020, 0, 1) + below(10 * 365 * 86_400) * 1_000 + below(1_000))

const ean = (body: string): string => {
  const sum = [...body].reverse().reduce((all, digit, place) => all + Number(digit) * (place % 2 ? 1 : 3), 0)
  return body + ((10 - (sum % 10)) % 10)
}

function iban(country: string, account: string): string {
  const rest = [...`${account}${country}00`].map((char) => Number.parseInt(char, 36)).join('')
  return `${country}${String(98n - (BigInt(rest) % 97n)).padStart(2, '0')}${account}`
}

const PHONES: readonly (readonly [code: string, prefixes: readonly string[], rest: number])[] = [
  ['1', ['212', '415', '604', '713'], 7],
  ['44', ['7400', '7911', '20'], 6],
  ['49', ['1512', '1523', '1601', '1711', '1761', '1575'], 7],
  ['43', ['660', '664', '676', '699'], 8],
  ['33', ['6', '7'], 8],
  ['39', ['320', '347', '389'], 7],
  ['34', ['6'], 8],
  ['31', ['6'], 8],
  ['48', ['50', '60'], 7],
  ['55', ['119', '219'], 8],
  ['62', ['811', '812'], 8],
  ['63', ['917', '905'], 7],
  ['81', ['90', '80'], 8],
  ['86', ['138', '159'], 8],
  ['91', ['98', '70'], 8],
  ['61', ['4'], 8],
  ['52', ['155', '181'], 8],
]

const phone: Make = (random) => {
  const [code, prefixes, rest] = random.pick(PHONES)
  return `${code}${random.pick(prefixes)}${random.digits(rest)}`
}

/** First digits of the order numbers of a large marketplace. */
const MARKETS = '028 302 303 304 305 306 402 403 111 112 114 202 203 503'.split(' ')
/** Germany, Japan, France, the United Kingdom, China, Switzerland, Italy, the United States. */
const ARTICLE_PREFIXES = ['40', '42', '43', '44', '45', '49', '30', '50', '54', '69', '76', '80', '00']

const KINDS: Readonly<Record<string, Make>> = {
  'order numbers of a shop': (r) => `${r.pick(['#', 'SO-', 'ORD-', 'WEB', ''])}${1_000 + r.below(9_999_999)}`,
  'order numbers with a date': (r) => {
    const date = day(r).toISOString()
    const [number, separator] = [r.digits(6), r.pick(['-', '', '/', ' '])]
    return `${r.pick(['', 'ORD', 'PO-'])}${date.slice(0, 10).replaceAll('-', separator)}${separator}${number}`
  },
  'order numbers of 3-7-7 digits': (r) => `${r.pick(MARKETS)}-${r.digits(7)}-${r.digits(7)}`,
  'order numbers of 2-5-5 digits': (r) => `${r.digits(2)}-${r.digits(5)}-${r.digits(5)}`,
  'purchase orders of 10 digits': (r) => `45${r.digits(8)}`,
  'ids of 64 bits': (r) => String(1_000_000_000_000_000_000n + BigInt(r.digits(18))),
  'invoice numbers': (r) =>
    r.pick([
      `INV-${2020 + r.below(10)}-${r.digits(6)}`,
      `RE${r.digits(8)}`,
      `${2020 + r.below(10)}/${r.digits(5)}`,
      `F-${r.digits(4)}-${r.digits(4)}`,
      `R-${r.digits(3)}.${r.digits(3)}.${r.digits(3)}`,
    ]),
  'phones with a plus sign': (r) => `+${phone(r)}`,
  'phones with a plus sign, grouped': (r) => `+${group(phone(r), 2 + r.below(3), r.pick([' ', '-', '.']))}`,
  'phones without a plus sign': phone,
  'phones without a plus sign, grouped': (r) => group(phone(r), 2 + r.below(3), r.pick([' ', '-', '.'])),
  'UPS codes': (r) => `1Z${word(r, 6)}${r.digits(10)}`,
  'UPS codes, grouped': (r) => group(`1Z${word(r, 6)}${r.digits(10)}`, 4, ' '),
  'USPS codes': (r) => `${r.pick(['9400', '9205', '9407', '9303', '9270', '9361'])}${r.digits(18)}`,
  'USPS codes, grouped': (r) => group(`${r.pick(['9400', '9205', '9407', '9303'])}1${r.digits(17)}`, 4, ' '),
  'FedEx codes': (r) => r.pick([r.digits(12), r.digits(15), `96${r.digits(20)}`, `61${r.digits(18)}`]),
  'DHL codes': (r) => r.pick([r.digits(10), `00340434${r.digits(12)}`, `JJD01${r.digits(16)}`, r.digits(12)]),
  'DPD, GLS and Hermes codes': (r) => r.pick([`0${r.digits(13)}`, r.digits(11), `H100${r.digits(16)}`]),
  'postal codes of parcels (S10)': (r) =>
    `${r.pick(['RR', 'EE', 'CP', 'LX'])}${r.digits(9)}${r.pick(['DE', 'CN', 'US'])}`,
  'EAN-13': (r) => ean(`${r.pick(ARTICLE_PREFIXES)}${r.digits(10)}`),
  'GTIN-14': (r) => ean(`${1 + r.below(8)}${r.digits(12)}`),
  IBANs: (r) =>
    r.pick([
      iban('DE', r.digits(18)),
      iban('PL', r.digits(24)),
      iban('ES', r.digits(20)),
      iban('FR', r.digits(23)),
      iban('GB', `NWBK${r.digits(14)}`),
      iban('NL', `INGB${r.digits(10)}`),
    ]),
  'IBANs, grouped': (r) =>
    group(r.pick([iban('DE', r.digits(18)), iban('PL', r.digits(24)), iban('ES', r.digits(20))]), 4, ' '),
  UUIDs: (r) => {
    const hex = Array.from({ length: 32 }, () => r.below(16).toString(16)).join('')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
  'SHA-1': (r) => Array.from({ length: 40 }, () => r.below(16).toString(16)).join(''),
  ULIDs: (r) => `01${word(r, 24)}`,
  'times in milliseconds': (r) => String(day(r).getTime()),
  'times in nanoseconds': (r) => `${day(r).getTime()}${r.digits(6)}`,
  'times in words': (r) =>
    day(r)
      .toISOString()
      .replace('T', r.pick([' ', 'T'])),
  coordinates: (r) => `${r.below(90)}.${r.digits(14)}, ${r.below(180)}.${r.digits(14)}`,
  'lists of prices': (r) =>
    Array.from({ length: 8 }, () => `${1 + r.below(400)}.${r.digits(2)}`).join(r.pick([' ', ', ', ' | '])),
  'IP addresses': (r) => Array.from({ length: 4 }, () => r.below(256)).join('.'),
  'IMEI numbers': (r) => `35${r.digits(13)}`,
}

const rateOf = (make: Make, seed: number): number => {
  const random = seeded(seed)
  let refused = 0
  for (let count = 0; count < SIZE; count++) if (hasCardNumber(make(random))) refused++
  return (refused / SIZE) * 100
}

describe('the rate of false positives is low', () => {
  it.each(Object.keys(KINDS))('%s: under 2 of 100', (kind) => {
    const rate = rateOf(KINDS[kind] as Make, kind.length)
    expect(rate).toBeLessThan(2)
  })

  it('16 random digits: the rate that issuer ranges and the check digit allow', () => {
    const rate = rateOf((random) => random.digits(16), 16)
    expect(rate).toBeLessThan(4)
  })

  it('ids of 13 digits that begin with 4: as before 2010, when Visa had such numbers', () => {
    expect(rateOf((random) => `4${random.digits(12)}`, 13)).toBeLessThan(10)
  })
})
