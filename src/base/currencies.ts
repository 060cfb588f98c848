// ISO 4217: every active currency that can be paid in, with the digits after its decimal point.
// Node's Intl is wrong for sixteen of them (HUF, IDR, COP …), so this table is ours; a test compares it
// with the published list. Metals, units of account and test codes cannot be paid in and are left out.

const TWO_DIGITS =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP ' +
  'BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR ' +
  'FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW ' +
  'KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN ' +
  'NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD ' +
  'SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS ' +
  'VED VES WST XCD XCG YER ZAR ZMW ZWG '

const OTHER_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

function table(): ReadonlyMap<string, number> {
  const entries = new Map<string, number>()
  for (const code of TWO_DIGITS.trim().split(/\s+/)) entries.set(code, 2)
  for (const [digits, codes] of Object.entries(OTHER_DIGITS))
    for (const code of codes.split(' ')) entries.set(code, Number(digits))
  return entries
}

/** Currency code → digits after the decimal point. */
export const CURRENCIES: ReadonlyMap<string, number> = table()

export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

export function currencyDigits(code: string): number {
  const digits = CURRENCIES.get(code)
  if (digits === undefined) throw new RangeError(`not an ISO 4217 currency: ${code}`)
  return digits
}
