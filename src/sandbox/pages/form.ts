import { checkCard, digitsOf, readExpiry } from '../../base/cards/form.ts'
import { boundForm } from '../../http/content/scan.ts'
import { fitText } from '../../providers/fit.ts'
import { TEST_BRANDS } from '../adapter/test-values.ts'
import type { BankAccountInput, CardInput } from '../helpers/browser.ts'

/** Form input of a customer. It is passed to the bank and never stored or echoed. */
export type Fields = ReadonlyMap<string, string>

export function readFields(body: Buffer): Fields {
  boundForm(body)
  return new Map(new URLSearchParams(body.toString('utf8')))
}

/** The bank's limit for the holder name. */
const HOLDER_LENGTH = 100

export type Typed<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** Problem names that the shop's page has texts for. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] }

export function typedCard(fields: Fields, now: Date): Typed<CardInput> {
  const text = (name: string) => fitText(fields.get(name), HOLDER_LENGTH) ?? ''
  const [number, expiry, code, name] = [text('number'), text('expiry'), text('code'), text('name')]
  const problems = checkCard({ number, expiry, code, name }, TEST_BRANDS, now)
  const until = readExpiry(expiry)
  if (problems.length > 0 || !until) return { kind: 'problems', problems }
  const { month: expiryMonth, year: expiryYear } = until
  const holder = name
  return {
    kind: 'ok',
    value: { number: digitsOf(number), expiryMonth, expiryYear, cvc: digitsOf(code), holder },
  }
}

export function typedAccount(fields: Fields): Typed<BankAccountInput> {
  const routing = digitsOf(fields.get('routing') ?? '')
  const account = digitsOf(fields.get('account') ?? '')
  const holder = fitText(fields.get('name'), HOLDER_LENGTH) ?? ''
  const problems = [
    ...(routing.length === 9 ? [] : ['routingWrong']),
    ...(account.length >= 4 && account.length <= 17 ? [] : ['accountWrong']),
    ...(holder === '' ? ['nameEmpty'] : []),
  ]
  return problems.length > 0
    ? { kind: 'problems', problems }
    : { kind: 'ok', value: { routing, account, holder } }
}
