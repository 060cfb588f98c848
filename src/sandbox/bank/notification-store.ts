import { type Due, type Queryable, sql } from '../../db/database.ts'

export interface DueNotification {
  readonly account: string
  readonly id: string
  readonly url: string
  readonly body: string
  readonly forged: boolean
  readonly tries: number
  readonly clockOffsetMs: number
}

export const bankNotificationsDue: Due = (now) => `sandbox_bank.notifications where due_time <= ${now}`

const claim = sql<DueNotification>(
  'sandbox_bank.claim_notifications',
  `update sandbox_bank.notifications n set due_time = $2, tries = n.tries + 1
     from (select account, notification_id from ${bankNotificationsDue('$1')}
              and ($3::text is null or account = $3)
            order by due_time, notification_id limit $4 for update skip locked) c
     left join sandbox_bank.accounts a on a.account = c.account
    where n.account = c.account and n.notification_id = c.notification_id
   returning n.account, n.notification_id::text as id, n.url, n.body, n.is_forged as forged, n.tries,
             coalesce(a.clock_offset_ms, 0) as clock_offset_ms`,
)

export interface NotificationClaim {
  readonly now: Date
  readonly leaseEnd: Date
  /** Null: all accounts. */
  readonly account: string | null
  readonly limit: number
}

/** Claims due notifications until `leaseEnd`. */
export async function claimNotifications(
  db: Queryable,
  wanted: NotificationClaim,
): Promise<DueNotification[]> {
  const rows = await db.query(claim, [wanted.now, wanted.leaseEnd, wanted.account, wanted.limit])
  return rows.sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
}

const end = sql<never>(
  'sandbox_bank.end_notifications',
  `delete from sandbox_bank.notifications n using unnest($1::text[], $2::bigint[]) as e (account, id)
    where n.account = e.account and n.notification_id = e.id`,
)

export async function endNotifications(db: Queryable, ended: readonly DueNotification[]): Promise<void> {
  if (ended.length === 0) return
  await db.query(end, [ended.map((one) => one.account), ended.map((one) => one.id)])
}

const postpone = sql<never>(
  'sandbox_bank.postpone_notification',
  `update sandbox_bank.notifications set due_time = $3 where account = $1 and notification_id = $2`,
)

export async function postponeNotification(db: Queryable, one: DueNotification, until: Date): Promise<void> {
  await db.query(postpone, [one.account, one.id, until])
}
