import type { Database } from '../../src/db/database.ts'

/** What the bank says of one payment or payout in two ways. */
interface Difference {
  readonly what: string
  readonly lines: string
  readonly ledger: string
}

/** Sales and refunds of payments, by their lines and by the ledger. Only what was settled is compared. */
const BY_PAYMENT = `
  select format('%s of payment %s', k.kind, p.payment_id) as what,
    coalesce((select sum(l.amount_minor) from sandbox_bank.lines l
      where l.account = p.account and l.payment_id = p.payment_id and l.kind = k.kind), 0)::text as lines,
    coalesce((select sum(case when k.kind = 'sale' then e.amount_minor else -e.amount_minor end)
      from sandbox_bank.ledger e where e.account = p.account and e.payment_id = p.payment_id
        and e.status = 'done' and e.kind = any (k.entries)), 0)::text as ledger
  from sandbox_bank.payments p,
    (values ('sale', array['sale', 'capture']), ('refund', array['refund'])) as k (kind, entries)
  where p.account = $1 and p.settled_version = p.version`

/** What disputes and returns have taken, by the lines and by the payment. */
const BY_DISPUTE = `
  select format('disputes of payment %s', p.payment_id) as what,
    coalesce((select sum(l.amount_minor) from sandbox_bank.lines l
      where l.account = p.account and l.payment_id = p.payment_id
        and l.kind in ('dispute', 'dispute-reversal', 'return')), 0)::text as lines,
    (coalesce((select -sum(coalesce((d ->> 'amount')::bigint, p.captured_minor))
      from json_array_elements(coalesce(p.document -> 'disputes', '[]')) d
      where d ->> 'state' = 'lost'
        or (d ->> 'state' = 'open' and d ->> 'isInquiry' is distinct from 'true')), 0)
      - case when p.document ->> 'returned' = 'true' then p.captured_minor else 0 end)::text as ledger
  from sandbox_bank.payments p where p.account = $1 and p.settled_version = p.version`

/** Each payout is what its other lines leave after fees. */
const BY_PAYOUT = `
  select format('payout %s', o.line_id) as what, (-o.amount_minor)::text as ledger,
    coalesce((select sum(l.amount_minor - l.fee_minor) from sandbox_bank.lines l
      where l.account = o.account and l.payout_id = o.line_id and l.kind <> 'payout'
        and l.shop = o.shop and l.currency = o.currency), 0)::text as lines
  from sandbox_bank.lines o where o.account = $1 and o.kind = 'payout'`

/** What is held is released in the end. */
const BY_RESERVE = `
  select format('reserve of payment %s', payment_id) as what, sum(amount_minor)::text as lines, '0' as ledger
  from sandbox_bank.lines where account = $1 and kind = 'reserve' group by payment_id`

/** Each way in which the lines of an account at the sandbox's bank are not what its ledger says. */
export async function linesAgainstLedger(db: Pick<Database, 'query'>, account: string): Promise<string[]> {
  const text = [BY_PAYMENT, BY_DISPUTE, BY_PAYOUT, BY_RESERVE]
    .map((part) => `(select what, lines, ledger from (${part}) compared where lines <> ledger)`)
    .join(' union all ')
  const rows = await db.query<Difference>({ name: 'test.lines_against_ledger', text }, [account])
  return rows.map(({ what, lines, ledger }) => `${what}: its lines say ${lines}, the bank says ${ledger}`)
}
