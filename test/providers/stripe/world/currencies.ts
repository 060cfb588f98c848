import { currencyDigits } from '../../../../src/base/currencies.ts'
import { broken, refused } from '../wire/errors.ts'

/** The provider's own table, independent of the adapter's. */
const ZERO = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
const THREE = 'bhd jod kwd omr tnd'.split(' ')
/** Without decimals, but written with two for historical reasons. */
const WHOLE_WITH_TWO = ['isk', 'ugx']
const TWO = (
  'aed all amd ang aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf cny cop crc cve ' +
  'czk dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr jmd kes kgs khr ' +
  'kyd kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab ' +
  'pen pgk php pkr pln qar ron rsd sar sbd scr sek sgd shp sle sos srd szl thb tjs top try ttd twd tzs uah ' +
  'usd uyu uzs wst xcd yer zar zmw'
).split(' ')

const MINIMUMS: Readonly<Record<string, number>> = {
  ...{ aed: 200, czk: 1_500, dkk: 250, gbp: 30, hkd: 400, huf: 17_500, jpy: 50, mxn: 1_000, myr: 200 },
  ...{
    nok: 300,
    pln: 200,
    ron: 200,
    sek: 300,
    thb: 1_000,
    kwd: 160,
    bhd: 190,
    jod: 360,
    omr: 200,
    tnd: 1_600,
  },
}

const isSupported = (currency: string): boolean =>
  [ZERO, THREE, WHOLE_WITH_TWO, TWO].some((codes) => codes.includes(currency))

const digitsOf = (currency: string): number =>
  ZERO.includes(currency) ? 0 : THREE.includes(currency) ? 3 : 2

export function checkAmount(amount: number, currency: string, param = 'amount'): void {
  if (!isSupported(currency)) throw refused(`Invalid currency: ${currency}.`, undefined, 'currency')
  if (THREE.includes(currency) && amount % 10 !== 0)
    throw broken(`Invalid amount: the last digit must be 0 in ${currency}`, undefined, param)
  if (WHOLE_WITH_TWO.includes(currency) && amount % 100 !== 0)
    throw broken(`Invalid amount: must be divisible by 100 in ${currency}`, undefined, param)
  const minimum = MINIMUMS[currency] ?? 50
  if (amount < minimum)
    throw refused(`Amount must be at least ${minimum} ${currency}`, 'amount_too_small', param)
  if (amount > (currency === 'idr' ? 999_999_999_999 : 99_999_999))
    throw refused(`Amount must be no more than 99999999 ${currency}`, 'amount_too_large', param)
}

/** An amount of the API in the minor units of ISO 4217. */
export function isoMinor(amount: number, currency: string): bigint {
  const shift = currencyDigits(currency.toUpperCase()) - digitsOf(currency)
  return shift >= 0 ? BigInt(amount) * 10n ** BigInt(shift) : BigInt(amount) / 10n ** BigInt(-shift)
}

/** The inverse of `isoMinor`. */
export function wireAmount(minor: bigint, currency: string): number {
  const shift = digitsOf(currency) - currencyDigits(currency.toUpperCase())
  return Number(shift >= 0 ? minor * 10n ** BigInt(shift) : minor / 10n ** BigInt(-shift))
}
