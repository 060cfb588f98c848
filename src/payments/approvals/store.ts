import { type Queryable, sql } from '../../db/database.ts'

/** A person's wish to refund more than one person may. */
export interface RefundApproval {
  readonly approvalId: string
  readonly appId: string
  readonly paymentId: number
  readonly currency: string
  readonly amountMinor: bigint
  readonly reason: string | null
  readonly askedBy: string
  readonly askedName: string
  readonly askedTime: Date
  readonly state: 'open' | 'approved' | 'refused'
  readonly decidedBy: string | null
  readonly decidedName: string | null
  readonly decidedTime: Date | null
}

const COLUMNS = `approval_id, app_id, payment_id, currency, amount_minor, reason, asked_by, asked_name,
  asked_time, state, decided_by, decided_name, decided_time`

const ASK = sql<RefundApproval>(
  'refund_approvals.ask',
  // The last wish counts while none is decided. It gets an id of its own: an id stands for one amount.
  `insert into refund_approvals (approval_id, app_id, payment_id, currency, amount_minor, reason, asked_by,
     asked_name, asked_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (app_id, payment_id) where state = 'open' do update set approval_id = excluded.approval_id,
     amount_minor = excluded.amount_minor, reason = excluded.reason, asked_by = excluded.asked_by,
     asked_name = excluded.asked_name, asked_time = excluded.asked_time
   returning ${COLUMNS}`,
)
const LIST = sql<RefundApproval>(
  'refund_approvals.list',
  `select ${COLUMNS} from refund_approvals where app_id = $1
     and ($2::bigint is null or payment_id = $2) and ($3::text is null or state = $3)
   order by asked_time desc, approval_id limit $4`,
)
const FIND = sql<RefundApproval>(
  'refund_approvals.find',
  `select ${COLUMNS} from refund_approvals where app_id = $1 and approval_id = $2`,
)
const DECIDE = sql<RefundApproval>(
  'refund_approvals.decide',
  `update refund_approvals set state = $3, decided_by = $4, decided_name = $5, decided_time = $6
   where app_id = $1 and approval_id = $2 and state = 'open' returning ${COLUMNS}`,
)
const COUNT = sql<{ count: number }>(
  'refund_approvals.count',
  `select count(*)::int as count from refund_approvals where app_id = $1 and state = 'open'`,
)

type NewApproval = Omit<RefundApproval, 'state' | 'decidedBy' | 'decidedName' | 'decidedTime'>

export async function upsertApproval(tx: Queryable, wish: NewApproval): Promise<RefundApproval> {
  const { approvalId, appId, paymentId, currency, amountMinor, reason, askedBy, askedName, askedTime } = wish
  const values = [approvalId, appId, paymentId, currency, amountMinor, reason, askedBy, askedName, askedTime]
  return (await tx.query(ASK, values))[0] as RefundApproval
}

interface Wanted {
  readonly paymentId?: number
  readonly state?: RefundApproval['state']
  readonly limit: number
}

/** The newest first. */
export const selectApprovals = (db: Queryable, appId: string, { paymentId, state, limit }: Wanted) =>
  db.query(LIST, [appId, paymentId ?? null, state ?? null, limit])

export const selectApproval = async (db: Queryable, appId: string, approvalId: string) =>
  (await db.query(FIND, [appId, approvalId]))[0]

interface Decision {
  readonly state: 'approved' | 'refused'
  readonly decidedBy: string
  readonly decidedName: string
  readonly decidedTime: Date
}

/** Undefined when it is decided already. */
export async function decideApproval(
  tx: Queryable,
  { appId, approvalId }: RefundApproval,
  { state, decidedBy, decidedName, decidedTime }: Decision,
): Promise<RefundApproval | undefined> {
  const values = [appId, approvalId, state, decidedBy, decidedName, decidedTime]
  return (await tx.query(DECIDE, values))[0]
}

export const countOpen = async (db: Queryable, appId: string): Promise<number> =>
  (await db.query(COUNT, [appId]))[0]?.count ?? 0
