import type { LedgerEntry } from '../providers/kit/simulator.ts'
import type { Entry } from './ledger.ts'
import type { Provider } from './provider.ts'
import { type Queried, rows, type Scene } from './scene.ts'

/** The same questions as to the sandbox's tables, asked of a simulator's ledger. */

interface Operation {
  app_id: string
  payment_id: string
  step: string
  status: string
  operation_key: string
  is_undone: boolean
}

const OPERATIONS = `
  select o.app_id, o.payment_id, o.step, o.status, o.operation_key, u.attempt_key is not null as is_undone
  from operations o left join undos u on u.app_id = o.app_id and u.attempt_key = o.operation_key
  join payments p on p.app_id = o.app_id and p.payment_id = o.payment_id
  where o.status in ('declined', 'not-done')
    -- The merchant withdrew the refund at the provider, and sees that the money is still there.
    and not exists (select from undos r where r.app_id = o.app_id and r.payment_id = o.payment_id
      and r.attempt = o.attempt and r.status = 'refused')
    and p.last_error ->> 'code' is distinct from 'bank-return'
    -- The provider repeated by itself a refund that had failed, and the merchant sees it as done.
    and not exists (select from refunds r where r.app_id = o.app_id and r.payment_id = o.payment_id
      and r.refund_id = o.operation_key and r.state = 'done')
  order by o.app_id, o.payment_id, o.operation_key`

const isDone = ({ state }: LedgerEntry): boolean => state === 'done'
const isApproval = ({ kind }: LedgerEntry): boolean => kind === 'authorise' || kind === 'sale'

/** Movements of money by their reference. The account is that of the payment with this attempt. */
export function providerEntries({ simulator }: Provider, { payments }: Pick<Scene, 'payments'>): Entry[] {
  const accounts = new Map(
    payments.flatMap(({ app_id, attempts }) => (attempts ?? []).map((attempt) => [attempt, app_id] as const)),
  )
  return simulator
    .allEntries()
    .filter((entry) => isDone(entry) && ['sale', 'capture', 'refund'].includes(entry.kind))
    .map(({ reference, kind, amountMinor }) => ({
      ...{ account: accounts.get(reference) ?? 'no app', reference, kind },
      amount_minor: String(amountMinor),
    }))
}

/** Operations that we say were not carried out, and that the provider carried out. */
export async function doneAllTheSame(
  world: Queried['world'],
  { simulator, happened }: Provider,
  status: 'declined' | 'not-done',
): Promise<Operation[]> {
  const operations = await rows<Operation>(world, OPERATIONS)
  const done = simulator.allEntries().filter(isDone)
  // What was voided at the provider or returned by the payer's bank before we read it is recorded as ended,
  // which is true. So is a capture that failed and that the provider repeated: recapturesCount is about it.
  const isGone = ({ kind, reference, amountMinor }: LedgerEntry): boolean => {
    if (happened.returned.has(reference)) return true
    if (kind === 'capture' && happened.recaptures.has(reference)) return true
    const same = done.filter((one) => one.reference === reference)
    if (kind === 'authorise') return same.some((one) => one.kind === 'void')
    const refunds = same.filter((one) => one.kind === 'refund')
    return kind === 'sale' && refunds.reduce((sum, one) => sum + one.amountMinor, 0n) === amountMinor
  }
  const entries = status === 'declined' ? done.filter((entry) => !isGone(entry)) : done
  return operations
    .filter((operation) => operation.status === status)
    .filter(({ step, operation_key: key }) =>
      entries.some(
        (entry) =>
          // The key of the request is ours, or begins with it.
          entry.key?.startsWith(key) ||
          (['start', 'charge'].includes(step) && isApproval(entry) && entry.reference === key),
      ),
    )
}
