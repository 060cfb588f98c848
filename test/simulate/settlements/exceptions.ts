import { rows, type Scene } from '../scene.ts'
import { type BankLine, reportedAs } from './reports.ts'

interface OpenException {
  readonly app_id: string
  readonly kind: string
  readonly payment_id: string | null
  readonly what: string | null
  readonly provider_payout_id: string | null
}

const OPEN = `
  select e.app_id, e.kind, e.payment_id, e.details ->> 'what' as what, p.provider_payout_id
  from settlement_exceptions e left join payouts p on p.app_id = e.app_id and p.payout_id = e.payout_id
  where e.closed_time is null`

interface Attempt {
  readonly app_id: string
  readonly payment_id: string
  readonly attempt_key: string
  readonly refund_keys: string[] | null
  /** Its debit was returned, and it was captured until then. */
  readonly is_returned: boolean
}

/** The attempt that counts, with its refunds. */
const ATTEMPTS = `
  select p.app_id, p.payment_id, p.attempt_key,
    coalesce(p.last_error ->> 'code' = 'bank-return', false) as is_returned,
    (select array_agg(r.refund_id) from refunds r where r.app_id = p.app_id and r.payment_id = p.payment_id
      and r.state = 'done') as refund_keys
  from payments p where p.attempt_key is not null`

export const KIND_OF_LIE = {
  missing: 'missing',
  doubled: 'doubled',
  altered: 'amount',
  currency: 'currency',
} as const

/** Every fault in the bank's reports is an open exception of the right kind, and nothing else is one. */
export async function faultsAreFound(scene: Scene, bank: readonly BankLine[]): Promise<string[]> {
  const attempts = await rows<Attempt>(scene.world, ATTEMPTS)
  const byKey = new Map(attempts.map((attempt) => [`${attempt.app_id} ${attempt.attempt_key}`, attempt]))
  const expected = [...bank.flatMap((line) => ofLine(line, byKey)), ...ofPayouts(bank)]
  const found = (await rows<OpenException>(scene.world, OPEN)).map(
    ({ app_id, kind, payment_id, what, provider_payout_id }) =>
      [app_id, kind, payment_id === null ? provider_payout_id : `${payment_id} ${what ?? ''}`]
        .join(' ')
        .trim(),
  )
  const { counter } = scene.world
  for (const { lie } of bank) if (lie !== null) counter.count(`reported ${lie}`)
  for (const name of expected) if (found.includes(name)) counter.count(`found ${name.split(' ')[1]}`)
  return [
    ...without(expected, found).map((name) => `no exception tells of the fault: ${name}`),
    ...without(found, expected).map((name) => `there is an exception without a fault: ${name}`),
  ]
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return some.filter((one) => {
    const place = left.indexOf(one)
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}

/**
 * Only the attempt that counts is compared; faults of others are found by their payout. A debit that is
 * returned after the payment was refunded costs the merchant the money twice, and is an exception without a
 * lie.
 */
function ofLine(
  { app_id, lie, kind, attempt_key, operation_key }: BankLine,
  byKey: Map<string, Attempt>,
): string[] {
  const attempt = byKey.get(`${app_id} ${attempt_key}`)
  if (!attempt) return []
  if (kind === 'return' && lie !== 'missing' && !attempt.is_returned)
    return [`${app_id} unseen ${attempt.payment_id} return`]
  if (lie === null) return []
  // Of refunds that came back, only the currency is compared.
  const isKnown = lie === 'currency' || kind === 'sale' || attempt.refund_keys?.includes(operation_key ?? '')
  if (!isKnown) return []
  const what = lie === 'currency' ? '' : ` ${kind}`
  return [`${app_id} ${KIND_OF_LIE[lie]} ${attempt.payment_id}${what}`]
}

/** A payout that does not equal its lines as they were reported. One without lines is not compared. */
function ofPayouts(bank: readonly BankLine[]): string[] {
  const payouts = bank.filter(({ kind }) => kind === 'payout')
  return payouts.flatMap(({ app_id, line_id, amount_minor }) => {
    const lines = bank
      .filter((line) => line.kind !== 'payout' && line.app_id === app_id && line.payout_id === line_id)
      .flatMap(reportedAs)
    const sum = lines.reduce((total, { net }) => total + net, 0n)
    return lines.length === 0 || sum === -BigInt(amount_minor) ? [] : [`${app_id} payout ${line_id}`]
  })
}
