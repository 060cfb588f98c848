import { networksAround, networkText, parseAddress, parseRange } from '../../base/addresses.ts'
import { isMailbox } from '../../base/mailbox.ts'
import { sha256 } from '../../base/secret.ts'
import { BLOCK_KINDS, type BlockKind, type FraudCheck, type FraudFacts } from '../verdict.ts'

/** Block-list entries: how they are written, which of them a payment meets. Pure. Decisions 0174, 0199. */

/** What can still match when the provider has approved: the card and the payer may be unknown before. */
const KNOWN_AFTER: readonly BlockKind[] = ['Card', 'Email', 'EmailDomain', 'Country']

export const blocksAfter = (kinds: readonly string[]): boolean =>
  KNOWN_AFTER.some((kind) => kinds.includes(kind))

const MAX_LENGTH = 320

/** The one spelling of a value, which people see; undefined when it is none of this kind. */
export function blockValue(kind: BlockKind, text: string): string | undefined {
  const typed = text.trim()
  if (typed === '' || typed.length > MAX_LENGTH) return undefined
  return SPELLINGS[kind](typed)
}

const SPELLINGS: Readonly<Record<BlockKind, (text: string) => string | undefined>> = {
  Card: cardText,
  Email: (text) => (isMailbox(text) ? text.toLowerCase() : undefined),
  EmailDomain: (text) => {
    const domain = text.toLowerCase().replace(/^@/, '')
    return /^[^\s@.,]+(\.[^\s@.,]+)+$/.test(domain) ? domain : undefined
  },
  Address: (text) => {
    const range = parseRange(text)
    return range && range.prefix > 0 ? networkText(range) : undefined
  },
  Customer: (text) => text,
  Country: (text) => (/^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined),
}

/** The widest ranges that one office or household may have. */
const OWN_BITS = { ipv4: 24, ipv6: 48 } as const

/** Whether the range is no more than what one payer may have: a wider one would let strangers through. */
export function isOfOnePayer(range: string): boolean {
  const found = parseRange(range)
  return found !== undefined && found.prefix >= OWN_BITS[found.first.kind()]
}

/** Brand, last digits and expiry: `visa 4242 12/2030`. One of them alone would stop other cards too. */
function cardText(text: string): string | undefined {
  const found = /^([^\d]{2,40}?)\s+(\d{4})\s+(\d{1,2})\/(\d{4})$/.exec(text)
  const brand = found?.[1]?.toLowerCase().replace(/[^a-z]/g, '')
  return found && brand ? `${brand} ${found[2]} ${Number(found[3])}/${found[4]}` : undefined
}

/** What payments are compared with. */
export const matchKey = (appId: string, kind: BlockKind, value: string): string =>
  kind === 'Card' || kind === 'Email' ? sha256(`${appId}\n${kind}\n${value}`).toString('hex') : value

export interface BlockKey {
  readonly kind: BlockKind
  readonly key: string
}

/** The keys of every entry that the payment would meet, for the kinds that the lists of its app have. */
export function keysOf(
  { appId, kinds }: { readonly appId: string; readonly kinds: readonly string[] },
  customerId: string,
  facts: FraudFacts,
): BlockKey[] {
  const values = valuesOf(customerId, facts)
  return BLOCK_KINDS.filter((kind) => kinds.includes(kind)).flatMap((kind) =>
    values[kind]().map((value) => ({ kind, key: matchKey(appId, kind, value) })),
  )
}

function valuesOf(customerId: string, facts: FraudFacts): Readonly<Record<BlockKind, () => string[]>> {
  const spelled = (kind: BlockKind, texts: readonly (string | undefined)[]) => [
    ...new Set(texts.flatMap((text) => blockValue(kind, text ?? '') ?? [])),
  ]
  const emails = spelled('Email', facts.emails ?? [])
  return {
    Card: () => spelled('Card', [facts.card?.identity]),
    Email: () => emails,
    EmailDomain: () => emails.flatMap(domainsOf),
    Address: () => {
      const address = parseAddress(facts.payerIp ?? '')
      return address ? networksAround(address) : []
    },
    Customer: () => [customerId],
    Country: () => spelled('Country', [facts.addressCountry, facts.card?.country, facts.payerCountry]),
  }
}

const MAX_LABELS = 20

/** The domain and those above it: `mail.shop.example` and `shop.example`. */
function domainsOf(email: string): string[] {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.', MAX_LABELS)
  return labels.slice(0, -1).map((_label, place) => labels.slice(place).join('.'))
}

export interface FoundBlock {
  readonly entryId: number
  readonly kind: BlockKind
  /** It lets payments through instead of stopping them. */
  readonly isAllowed: boolean
}

/** The entry is named by its number: its value may be personal, and verdicts are kept. */
export const blockCheck = (found: FoundBlock | undefined, stage: FraudCheck['stage']): FraudCheck => ({
  stage,
  name: found ? `Listed${found.kind}` : 'BlockList',
  action: 'RejectPayment',
  seen: found ? String(found.entryId) : null,
  limit: 'not listed',
  result: found ? 'Violated' : 'Passed',
})

/** It passes: the checks of a policy do not count then. See `countedChecks`. */
export const allowCheck = ({ entryId, kind }: FoundBlock, stage: FraudCheck['stage']): FraudCheck => ({
  stage,
  name: `Allowed${kind}`,
  action: 'RejectPayment',
  seen: String(entryId),
  limit: 'listed',
  result: 'Passed',
})
