import type { State } from '../../src/payments/machine.ts'
import { type Provider, waitsForBank } from './provider.ts'
import { doneAllTheSame, providerEntries } from './provider-ledger.ts'
import { type PaymentRow, type Queried, rows, type Scene } from './scene.ts'

export interface Entry {
  account: string
  reference: string
  kind: string
  amount_minor: string
}

const LEDGER = `
  select l.account, p.reference, l.kind, l.amount_minor from sandbox_bank.ledger l
    join sandbox_bank.payments p on p.account = l.account and p.payment_id = l.payment_id
  where l.status = 'done' and l.kind in ('sale', 'capture', 'refund')
  order by l.account, l.payment_id, l.entry`

const sum = (entries: readonly Entry[]): bigint =>
  entries.reduce((total, entry) => total + BigInt(entry.amount_minor), 0n)
const charged = (entries: readonly Entry[]): bigint => sum(entries.filter(({ kind }) => kind !== 'refund'))
const returned = (entries: readonly Entry[]): bigint => sum(entries.filter(({ kind }) => kind === 'refund'))

const DONE_ALL_THE_SAME = `
  select distinct o.payment_id, o.step from operations o
    join sandbox_bank.ledger l on l.account = o.app_id and l.operation_key = o.operation_key
    join sandbox_bank.payments b on b.account = l.account and b.payment_id = l.payment_id
  where o.status = 'declined' and l.status = 'done'
    and not (b.status = 'expired' and l.kind = 'authorise')`

/**
 * The bank executed none of the operations that we recorded as declined. An authorisation whose reply was
 * lost and that expired before the next read is recorded as expired, which is true.
 */
export async function refusalsAreTrue({ world }: Queried): Promise<string[]> {
  const wrong = world.provider
    ? await doneAllTheSame(world, world.provider, 'declined')
    : await rows<{ payment_id: string; step: string }>(world, DONE_ALL_THE_SAME)
  return wrong.map(
    ({ payment_id, step }) => `${step} of payment ${payment_id} was done, we say it was declined`,
  )
}

const APPROVED_LATE = `
  select distinct o.app_id, o.payment_id, o.operation_key, u.attempt_key is not null or exists (
      select from operations c join sandbox_bank.ledger v on v.account = o.app_id
        and v.operation_key = c.operation_key and v.kind = 'void' and v.status = 'done'
      where c.app_id = o.app_id and c.payment_id = o.payment_id and c.attempt = o.attempt
        and c.step = 'cancel' and v.payment_id = b.payment_id) as is_undone
  from operations o
    join sandbox_bank.payments b on b.account = o.app_id and b.reference = o.operation_key
    join sandbox_bank.ledger l on l.account = b.account and l.payment_id = b.payment_id
    left join undos u on u.app_id = o.app_id and u.attempt_key = o.operation_key
  where o.step in ('start', 'charge') and o.status = 'not-done' and l.kind in ('authorise', 'sale')
    and l.status = 'done'`

/** What reached the bank after we had looked for it counts all the same, or was undone or cancelled. */
export async function lateArrivalsAreFound({ world, payments, historyOf }: Scene): Promise<string[]> {
  const late = world.provider
    ? await doneAllTheSame(world, world.provider, 'not-done')
    : await rows<LateRow>(world, APPROVED_LATE)
  return late.flatMap(({ app_id, payment_id, operation_key, is_undone }) => {
    const payment = payments.find((one) => one.app_id === app_id && one.payment_id === payment_id)
    const counts =
      payment?.attempts?.at(-1) === operation_key && historyOf(payment).some((state) => PAID.has(state))
    return is_undone || counts
      ? []
      : [`the bank approved ${operation_key} of payment ${payment_id} for nobody`]
  })
}

interface LateRow {
  app_id: string
  payment_id: string
  operation_key: string
  is_undone: boolean
}

const PAID = new Set<State>(['Authorized', 'ProviderAuthorizedHold', 'Capturing', 'Captured', 'CapturedHold'])

/** The bank keeps at most one charge for each payment, its sums are ours, and it charged nothing else. */
export async function chargesAgree(scene: Queried & Pick<Scene, 'payments'>): Promise<string[]> {
  const ledger = new Map<string, Entry[]>()
  const { world } = scene
  const entries = world.provider ? providerEntries(world.provider, scene) : await rows<Entry>(world, LEDGER)
  for (const entry of entries) {
    const key = `${entry.account} ${entry.reference}`
    ledger.set(key, [...(ledger.get(key) ?? []), entry])
  }
  const isAtTheBank = (payment: PaymentRow): boolean =>
    world.provider !== undefined && waitsForBank(payment, world.provider)
  const problems = scene.payments.flatMap((payment) => {
    const attempts = (payment.attempts ?? []).map((reference) => {
      const key = `${payment.app_id} ${reference}`
      const entries = ledger.get(key) ?? []
      ledger.delete(key)
      return entries
    })
    const lost = lostOf(payment, world.provider)
    // A dispute of a payment that is Refunded or Failed leaves no trace in its states.
    const known = {
      ...payment,
      disputed: payment.disputed || lost > 0n || isAtTheBank(payment),
      returned: payment.returned || wasReturnedUnseen(payment, world.provider),
    }
    return [
      ...paymentAgrees(known, attempts, world.provider !== undefined),
      ...(lost > 0n ? disputesAgree(payment, { back: returned(attempts.flat()), lost }, world.provider) : []),
    ]
  })
  for (const [key, entries] of ledger)
    if (charged(entries) > returned(entries))
      problems.push(`the bank charged ${key}, which nobody here knows`)
  return problems
}

/** The debit had failed when it was first read: the attempt was declined. */
const wasReturnedUnseen = ({ state, attempts }: PaymentRow, provider: Provider | undefined): boolean =>
  state === 'Failed' && (attempts ?? []).some((attempt) => provider?.happened.returned.has(attempt))

/** What lost disputes of the payment took back. */
function lostOf(
  { attempts, captured_minor, lost_minor }: PaymentRow,
  provider: Provider | undefined,
): bigint {
  if (!provider) return BigInt(lost_minor)
  const lost = [...provider.disputes.values()].filter(
    ({ reference, state }) => state === 'lost' && reference === attempts?.at(-1),
  )
  return lost.reduce((total, { amountMinor }) => total + (amountMinor ?? BigInt(captured_minor)), 0n)
}

/** What we say was returned is what the provider gave back and what disputes took back. */
function disputesAgree(
  payment: PaymentRow,
  { back, lost }: { readonly back: bigint; readonly lost: bigint },
  provider: Provider | undefined,
): string[] {
  const { marked, returned: isReturned, keeps_undone, fails_later, state } = payment
  if (marked || isReturned || keeps_undone || fails_later || state === 'Failed') return []
  const captured = BigInt(payment.captured_minor)
  const refunded = BigInt(payment.refunded_minor)
  const took = back + lost < captured ? back + lost : captured
  // A dispute may take what a refund returned before that refund came back: then nothing more is to be told.
  if (refunded === took || refunded - BigInt(payment.came_back_minor) === took) return []
  // At PayPal a refund during a dispute may be what ended it.
  if (provider?.id === 'paypal' && refunded >= back && refunded < took) return []
  const reported = `payment ${payment.payment_id} (${state}): ${refunded} of ${captured} returned`
  return [`${reported}, the provider took ${back} + ${lost}`]
}

function paymentAgrees(
  payment: PaymentRow,
  attempts: readonly (readonly Entry[])[],
  isAtProvider: boolean,
): string[] {
  const reported = `payment ${payment.payment_id} (${payment.state})`
  const kept = attempts.filter((entries) => charged(entries) > returned(entries))
  const whole = attempts.flat()
  const [taken, back] = [charged(whole), returned(whole)]
  const captured = BigInt(payment.captured_minor)
  const refunded = BigInt(payment.refunded_minor) - BigInt(payment.came_back_minor)
  // A refund that failed later stays in our sum. Another one in its place at the provider changes nothing.
  const failedLater = isAtProvider ? BigInt(payment.failed_later_minor) : 0n
  const problems: string[] = []
  if (kept.length > 1) problems.push(`${reported} is charged ${kept.length} times`)
  // A dispute, a returned debit and a refund made elsewhere move money that this ledger does not see.
  const { marked, disputed, returned: isReturned, keeps_undone, capture_missing } = payment
  const seesAll = !marked && !disputed && !isReturned && !keeps_undone && !capture_missing
  const capturedLater = BigInt(payment.captured_later ?? '0')
  const surplus = taken - back - captured + refunded
  const received = BigInt(payment.received_minor ?? '0')
  if (seesAll && ![0n, failedLater, capturedLater, failedLater + capturedLater, received].includes(surplus))
    problems.push(`${reported}: the bank kept ${taken} − ${back}, we say ${captured} − ${refunded}`)
  return problems
}
