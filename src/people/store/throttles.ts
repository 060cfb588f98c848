import { DAY } from '../../base/clock.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import type { ThrottleState } from '../throttle/rules.ts'

/** Longer than any failure counts. */
const KEPT_MS = 2 * DAY
/** A person who has not been in a place for so long is a stranger there. */
const NETWORKS_KEPT_MS = 180 * DAY

const RESERVE = sql<never>(
  'throttles.reserve',
  `insert into sign_in_throttles (subject_hash, failures, next_time, changed_time)
   select subject, 0, $2, $2 from unnest($1::bytea[]) subject order by subject
   on conflict (subject_hash) do nothing`,
)
const LOCK = sql<ThrottleState & { readonly subjectHash: Uint8Array }>(
  'throttles.lock',
  `select subject_hash, failures, next_time, changed_time from sign_in_throttles
   where subject_hash = any($1::bytea[]) order by subject_hash for update`,
)
const SET = sql<never>(
  'throttles.set',
  `update sign_in_throttles t set failures = i.failures, next_time = i.next_time, changed_time = $4
   from unnest($1::bytea[], $2::integer[], $3::timestamptz[]) as i (subject, failures, next_time)
   where t.subject_hash = i.subject`,
)
const CLEAR = sql<never>('throttles.clear', 'delete from sign_in_throttles where subject_hash = $1')
const GIVE_BACK = sql<never>(
  'throttles.give_back',
  `update sign_in_throttles t set failures = greatest(t.failures - 1, 0), next_time = least(t.next_time, $2)
   from (select subject_hash from sign_in_throttles where subject_hash = any($1::bytea[])
     order by subject_hash for update) held
   where t.subject_hash = held.subject_hash`,
)
const ADD_NETWORK = sql<{ isNew: boolean }>(
  'throttles.add_network',
  `insert into person_networks (person_id, network, last_used_time) values ($1, $2, $3)
   on conflict (person_id, network) do update set last_used_time = excluded.last_used_time
   returning xmax = 0 and exists (
     select from person_networks o where o.person_id = $1 and o.network <> $2) as is_new`,
)
const TRIM_NETWORKS = sql<never>(
  'throttles.trim_networks',
  `delete from person_networks where person_id = $1 and network in (
     select network from person_networks where person_id = $1
     order by last_used_time desc, network offset $2)`,
)

/** The states of these subjects, locked until the transaction ends, in the order of the subjects. */
export async function lockThrottles(
  tx: Queryable,
  subjects: readonly Uint8Array[],
  now: Date,
): Promise<readonly ThrottleState[]> {
  await tx.query(RESERVE, [subjects, now])
  const rows = await tx.query(LOCK, [subjects])
  const found = new Map(rows.map((row) => [keyOf(row.subjectHash), row]))
  const none = { failures: 0, nextTime: now, changedTime: now }
  return subjects.map((subject) => found.get(keyOf(subject)) ?? none)
}

const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export async function updateThrottles(
  tx: Queryable,
  subjects: readonly Uint8Array[],
  states: readonly ThrottleState[],
  now: Date,
): Promise<void> {
  const failures = states.map((state) => state.failures)
  const times = states.map((state) => state.nextTime)
  await tx.query(SET, [subjects, failures, times, now])
}

export async function clearThrottle(db: Queryable, subject: Uint8Array): Promise<void> {
  await db.query(CLEAR, [subject])
}

/** Takes back one failure of each subject. */
export async function giveBackThrottles(db: Queryable, subjects: readonly Uint8Array[], now: Date) {
  await db.query(GIVE_BACK, [subjects, now])
}

/**
 * Records a network that the person signed in from; the newest ones are kept. Returns whether it is another
 * than all before; the first of a person is not.
 */
export async function addNetwork(
  db: Queryable,
  personId: string,
  { network, now, most }: { readonly network: string; readonly now: Date; readonly most: number },
): Promise<boolean> {
  const [row] = await db.query(ADD_NETWORK, [personId, network, now])
  await db.query(TRIM_NETWORKS, [personId, most])
  return row?.isNew ?? false
}

export const throttlesDue: Due = (now) => `sign_in_throttles where changed_time < ${ago(now, KEPT_MS)}`
export const networksDue: Due = (now) =>
  `person_networks where last_used_time < ${ago(now, NETWORKS_KEPT_MS)}`

const FORGET_THROTTLES = sql<{ subjectHash: Uint8Array }>(
  'throttles.forget',
  `delete from sign_in_throttles where subject_hash in (
     select subject_hash from ${throttlesDue('$1::timestamptz')} limit $2) returning subject_hash`,
)
const FORGET_NETWORKS = sql<{ personId: string }>(
  'throttles.forget_networks',
  `delete from person_networks where (person_id, network) in (
     select person_id, network from ${networksDue('$1::timestamptz')} limit $2) returning person_id`,
)

export async function forgetThrottles(db: Queryable, now: Date, most: number): Promise<number> {
  const throttles = await db.query(FORGET_THROTTLES, [now, most])
  const networks = await db.query(FORGET_NETWORKS, [now, most])
  return throttles.length + networks.length
}
