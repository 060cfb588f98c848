import { STATES } from '../../src/payments/machine.ts'
import type { LedgerEntry } from '../providers/kit/simulator.ts'
import { type Provider, waitsForBank } from './provider.ts'
import { type PaymentRow, rows, type Scene } from './scene.ts'

/** What is true of things that happen at a real provider after the payment, or beside it. */
export async function afterwardsAgree(scene: Scene): Promise<string[]> {
  const { provider } = scene.world
  if (!provider) return []
  return [
    ...returnsAreFound(scene, provider),
    ...recapturesCount(scene, provider),
    ...denialsEnd(scene, provider),
    ...extrasAreGivenBack(scene, provider),
    ...(await challengesEnd(scene, provider)),
    ...lateWalletsAreKept(scene, provider),
  ]
}

/** The payments whose last attempt is one of these. */
const paymentsOf = ({ payments }: Scene, references: ReadonlySet<string>): PaymentRow[] =>
  payments.filter(({ attempts }) => references.has(attempts?.at(-1) ?? ''))

const reported = ({ payment_id, state }: PaymentRow): string => `payment ${payment_id} (${state})`

/** A debit that the payer's bank returned is not money that the merchant has. Of two debits one may stay. */
function returnsAreFound(scene: Scene, provider: Provider): string[] {
  return paymentsOf(scene, provider.happened.returned)
    .filter(({ captured_minor, refunded_minor, attempts }) => {
      const left = BigInt(captured_minor) - BigInt(refunded_minor)
      return left > 0n && left > keptOf(provider, attempts?.at(-1) ?? '')
    })
    .map((payment) => `${reported(payment)}: its debit was returned, we say that money is left`)
}

const doneOf = ({ simulator }: Provider, reference: string): readonly LedgerEntry[] =>
  simulator.allEntries().filter((entry) => entry.reference === reference && entry.state === 'done')

const sumOf = (entries: readonly LedgerEntry[], ...kinds: readonly LedgerEntry['kind'][]): bigint =>
  entries
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((total, { amountMinor }) => total + amountMinor, 0n)

const keptOf = (provider: Provider, reference: string): bigint => {
  const done = doneOf(provider, reference)
  return sumOf(done, 'sale', 'capture') - sumOf(done, 'refund')
}

const COUNTS = ['Captured', 'CapturedHold', 'Disputed', 'Refunded']

/** What was captured again counts, or was given back; what failed for good is not captured. */
function recapturesCount(scene: Scene, provider: Provider): string[] {
  const { recaptures, failedCaptures } = provider.happened
  const again = paymentsOf(scene, recaptures)
    .filter((payment) => !COUNTS.includes(payment.state) && !waitsForBank(payment, provider))
    .filter(({ attempts, keeps_undone }) => keptOf(provider, attempts?.at(-1) ?? '') > 0n && !keeps_undone)
    .map((payment) => `${reported(payment)} was captured again, and is neither captured nor given back`)
  const failed = paymentsOf(scene, failedCaptures)
    .filter(({ state, capture_missing }) => state === 'Captured' && !capture_missing)
    .filter(({ attempts }) => sumOf(doneOf(provider, attempts?.at(-1) ?? ''), 'capture', 'sale') === 0n)
    .map((payment) => `${reported(payment)}: its capture failed`)
  return [...again, ...failed]
}

/** A denied capture took nothing: the payment has ended, or can be captured again. */
function denialsEnd(scene: Scene, provider: Provider): string[] {
  return paymentsOf(scene, provider.happened.denied)
    .filter(({ attempts }) => sumOf(doneOf(provider, attempts?.at(-1) ?? ''), 'capture', 'sale') === 0n)
    .filter(({ state }) => COUNTS.includes(state) || STATES[state].kind === 'moving')
    .map((payment) => `${reported(payment)}: its capture was denied`)
}

/**
 * Of several payments on one page at most one is kept, as money or as an authorisation. The merchant is told
 * of a debit that was settled before: the provider does not refund it.
 */
function extrasAreGivenBack({ payments }: Scene, provider: Provider): string[] {
  const reported = new Set(payments.flatMap((one) => (one.keeps_undone ? (one.attempts ?? []) : [])))
  const twice = [...provider.happened.paidTwice].filter((reference) => !reported.has(reference))
  return twice.flatMap((reference) => {
    const done = doneOf(provider, reference)
    const count = (kind: LedgerEntry['kind']) => BigInt(done.filter((entry) => entry.kind === kind).length)
    const one = done.find(({ kind }) => kind === 'authorise' || kind === 'sale')?.amountMinor ?? 0n
    const reserved = (count('authorise') - count('void') - count('capture')) * one
    const kept = keptOf(provider, reference)
    return reserved + kept <= one ? [] : [`${reference} was paid twice: ${kept} kept, ${reserved} reserved`]
  })
}

const IN_CHALLENGE = `
  select payment_id from payments
  where state in ('Authorizing', 'SaleInProgress', 'Approved') and pay_info ->> 'challengeUntil' is not null`

/** A challenge has an end, never after the link; then the attempt is over, here and at the provider. */
async function challengesEnd({ world }: Scene, { happened }: Provider): Promise<string[]> {
  const left = await rows<{ payment_id: string }>(world, IN_CHALLENGE)
  return [
    ...left.map(({ payment_id }) => `payment ${payment_id} is still in a challenge`),
    ...[...happened.endAfterLink].map((id) => `the challenge of payment ${id} would end after its link`),
    ...happened.answeredLate.map((page) => `${page} took money days after it was left`),
  ]
}

/** A wallet that the provider stored after the payment is a stored method here. */
function lateWalletsAreKept(scene: Scene, { happened }: Provider): string[] {
  return paymentsOf(scene, happened.lateWallets)
    .filter(({ state, keeps_method }) => COUNTS.includes(state) && !keeps_method)
    .map((payment) => `${reported(payment)}: the wallet that was stored late is not known`)
}
