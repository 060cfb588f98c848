/** Which members of a body hold secrets or personal data, by their names in lower case. */

const SECRET: readonly RegExp[] = [
  /secret|passw|passphrase|credential|cookie|signature|nonce|instrument/,
  /api[-_ ]?key|(?:access|private|sealing|webhook|signing|session|payment|publishable)[-_ ]?key/,
  /token(?![-_ ]?(?:id|type))/,
  /^t?otp|[-_ ]otp/,
  /cv[cvn]2?(?!_?check|_?result)|security[-_ ]?code/,
  /(?:card|account|routing)[-_ ]?number/,
  /^authori[sz]ation(?:[-_ ]?code)?$|auth(?:orization)?(?:header)?parameter/,
  // Settings of profiles are masked as a whole: each provider has its own names.
  /^(?:iban|pan|pin|settings)$/,
]

const PERSONAL: readonly RegExp[] = [
  /e[-_ ]?mail|phone|mobile|address|street|postal|birth|tax[-_ ]?id/,
  /^(?:name|surname)$|^(?:first|last|full|given|middle|family|company|payer|customer)[-_ ]?name$|holder/,
  /^line[-_ ]?[1-3]$|^city$|[-_ ]city$|^zip/,
  /^(?:payer[-_ ]?)?ip$|^search[-_ ]?criteria$/,
]

export interface NameMeaning {
  readonly lower: string
  readonly isSecret: boolean
  readonly isPersonal: boolean
  /** A word that can be shown as it is; `json` is then its JSON with the colon. */
  readonly isOrdinary: boolean
  readonly json: string
}

const ORDINARY = /^[A-Za-z_][A-Za-z_-]{0,39}$/

/** The names of our own API and of the providers are a few hundred; clients may send any. */
const MAX_NAMES = 2_000
const known = new Map<string, NameMeaning>()

export function meaningOf(name: string): NameMeaning {
  const found = known.get(name)
  if (found) return found
  const lower = name.toLowerCase()
  const matches = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(lower))
  const isOrdinary = ORDINARY.test(name)
  const meaning = {
    lower,
    isSecret: matches(SECRET),
    isPersonal: matches(PERSONAL),
    isOrdinary,
    json: `"${name}":`,
  }
  if (known.size < MAX_NAMES && isOrdinary) known.set(name, meaning)
  return meaning
}
