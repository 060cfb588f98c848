import { rows, type Scene } from '../scene.ts'

/** A line of the bank as it happened, and in `lie` how it was reported. */
export interface BankLine {
  readonly app_id: string
  readonly line_id: string
  readonly kind: string
  readonly amount_minor: string
  readonly fee_minor: string
  readonly currency: string
  readonly payout_id: string | null
  readonly lie: 'missing' | 'doubled' | 'altered' | 'currency' | null
  /** Of the refund, where it is one. */
  readonly operation_key: string | null
  /** Of the attempt. Null: a payout. */
  readonly attempt_key: string | null
}

const BANK = `
  select l.account as app_id, l.line_id, l.kind, l.amount_minor, l.fee_minor, l.currency, l.payout_id, l.lie,
    l.reference as operation_key, p.reference as attempt_key
  from sandbox_bank.lines l
    left join sandbox_bank.payments p on p.account = l.account and p.payment_id = l.payment_id
  where l.report_time <= $now order by l.account, l.line_id`

/** What the bank has reported by now. */
export const bankLines = ({ world }: Pick<Scene, 'world'>): Promise<BankLine[]> =>
  rows<BankLine>(world, BANK.replace('$now', `'${world.clock.now().toISOString()}'`))

/** What is wrong with an altered line: the bank's rule. */
const ALTERED_BY = 100n

export interface Reported {
  readonly id: string
  readonly gross: bigint
  readonly currency: string
  readonly net: bigint
}

/** A line as the bank has reported it, or twice, or not at all. */
export function reportedAs({ line_id: id, lie, currency, ...line }: BankLine): Reported[] {
  const gross = BigInt(line.amount_minor)
  const net = gross - BigInt(line.fee_minor)
  const right = { id, gross, currency, net }
  if (lie === 'missing') return []
  if (lie === 'doubled') return [right, { ...right, id: `${id}_again` }]
  if (lie === 'altered') return [{ ...right, gross: gross + ALTERED_BY, net: net + ALTERED_BY }]
  return [lie === 'currency' ? { ...right, currency: currency === 'EUR' ? 'USD' : 'EUR' } : right]
}

interface ReadLine {
  readonly app_id: string
  readonly text: string
}

const READ = `
  select l.app_id, concat_ws(' ', l.provider_line_id, l.kind, l.gross_minor, l.currency, l.fee_minor,
    l.net_minor, l.settlement_currency, p.provider_payout_id) as text
  from settlement_lines l left join payouts p on p.app_id = l.app_id and p.payout_id = l.payout_id`

/** Every reported line was read once, as it was reported, and nothing else was. */
export async function linesAreRead(scene: Scene, bank: readonly BankLine[]): Promise<string[]> {
  const read = new Set(
    (await rows<ReadLine>(scene.world, READ)).map(({ app_id, text }) => `${app_id} ${text}`),
  )
  const problems = bank.flatMap((line) =>
    reportedAs(line).flatMap(({ id, gross, currency, net }) => {
      const payout = line.payout_id === null ? [] : [line.payout_id]
      const settled = [line.fee_minor, net, line.currency, ...payout]
      const text = [line.app_id, id, line.kind, gross, currency, ...settled].join(' ')
      return read.delete(text) ? [] : [`the bank reported ${text}, which was not read so`]
    }),
  )
  return [...problems, ...[...read].map((text) => `${text} was read, and the bank reported no such line`)]
}
