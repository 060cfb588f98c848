import { type Due, type Queryable, sql } from '../db/database.ts'
import { fairClaim, type Share } from '../db/fair-claim.ts'
import type { EvidenceFileKind, MediaType } from '../providers/disputes.ts'
import type { AnswerState } from './dispute.ts'

/** Names a dispute and its answer. */
export interface AnswerKey {
  readonly appId: string
  readonly paymentId: number
  readonly disputeId: string
}

/** The merchant's answer to a dispute: a draft, or the operation that sends it. */
export interface DisputeOperation extends AnswerKey {
  readonly profileId: number
  readonly state: AnswerState
  readonly sealed: Uint8Array | null
  readonly operationKey: string | null
  /** How many submissions the provider had before. Null: nothing was sent yet. */
  readonly submissions: number | null
  readonly sendings: number
  /** Why the last operation did not succeed: a code. */
  readonly problem: string | null
  readonly savedBy: string | null
  readonly savedTime: Date | null
  readonly sentBy: string | null
  readonly sentTime: Date | null
}

const COLUMNS = `app_id, payment_id, dispute_id, profile_id, state, sealed, operation_key, submissions,
  sendings, problem, saved_by, saved_time, sent_by, sent_time`
const KEY = 'app_id = $1 and payment_id = $2 and dispute_id = $3'

const keyOf = ({ appId, paymentId, disputeId }: AnswerKey) => [appId, paymentId, disputeId]

const FIND = sql<DisputeOperation>('disputes.answer', `select ${COLUMNS} from dispute_answers where ${KEY}`)

export const findAnswer = async (db: Queryable, key: AnswerKey): Promise<DisputeOperation | undefined> =>
  (await db.query(FIND, keyOf(key)))[0]

/** By whom and when, in the app's time. */
export interface Author {
  readonly by: string
  readonly time: Date
}

const SAVE = sql<DisputeOperation>(
  'disputes.saveDraft',
  `insert into dispute_answers as a (app_id, payment_id, dispute_id, profile_id, state, sealed, saved_by,
     saved_time)
   values ($1, $2, $3, $4, 'draft', $5, $6, $7)
   on conflict (app_id, payment_id, dispute_id) do update set state = 'draft',
     sealed = coalesce(excluded.sealed, a.sealed), saved_by = excluded.saved_by,
     saved_time = excluded.saved_time, problem = null, submissions = null
   where a.state = 'draft' or $8 and a.state = 'submitted'
   returning ${COLUMNS}`,
)

interface Draft {
  readonly profileId: number
  /** The sealed texts. Null: they stay as they are. */
  readonly sealed: Uint8Array | null
  /** The provider asks once more: a submitted answer becomes a draft again. */
  readonly isAgain: boolean
}

/** Undefined: the answer is being sent, or was sent. */
export const saveDraft = async (
  db: Queryable,
  key: AnswerKey,
  { profileId, sealed, isAgain }: Draft,
  { by, time }: Author,
): Promise<DisputeOperation | undefined> =>
  (await db.query(SAVE, [...keyOf(key), profileId, sealed, by, time, isAgain]))[0]

const BEGIN = sql<DisputeOperation>(
  'disputes.beginAnswer',
  `insert into dispute_answers as a (app_id, payment_id, dispute_id, profile_id, state, operation_key,
     due_time, sendings, sent_by, sent_time)
   values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9)
   on conflict (app_id, payment_id, dispute_id) do update set state = excluded.state,
     operation_key = excluded.operation_key, due_time = excluded.due_time, sendings = a.sendings + 1,
     submissions = null, problem = null, sent_by = excluded.sent_by, sent_time = excluded.sent_time
   where a.state = 'draft' or excluded.state = 'accepting' and a.state = 'submitted'
   returning ${COLUMNS}`,
)

interface Begun {
  readonly profileId: number
  readonly state: 'submitting' | 'accepting'
  readonly operationKey: string
  readonly leaseUntil: Date
}

/** Commits the operation before it is sent. Undefined: another one is running, or was carried out. */
export const beginAnswer = async (
  db: Queryable,
  key: AnswerKey,
  { profileId, state, operationKey, leaseUntil }: Begun,
  { by, time }: Author,
): Promise<DisputeOperation | undefined> =>
  (await db.query(BEGIN, [...keyOf(key), profileId, state, operationKey, leaseUntil, by, time]))[0]

export const answersDue: Due = (now) => `dispute_answers where due_time <= ${now}`

const CLAIM = sql<DisputeOperation>(
  'disputes.claimAnswers',
  `update dispute_answers set due_time = $3, sendings = sendings + 1
   where (app_id, payment_id, dispute_id) in (
     select app_id, payment_id, dispute_id
     from (${fairClaim({ rows: answersDue('$1'), key: 'app_id, payment_id, dispute_id' })}) claimed)
   returning ${COLUMNS}`,
)

/** Leases operations without a result. A new number of sendings fences off the worker before. */
export const claimAnswers = (
  db: Queryable,
  { now, until, share }: { readonly now: Date; readonly until: Date; readonly share: Share },
): Promise<DisputeOperation[]> => db.query(CLAIM, [now, JSON.stringify(share), until])

const held = `${KEY} and sendings = $4 and due_time is not null`
const holdingOf = (answer: DisputeOperation) => [...keyOf(answer), answer.sendings]

const NOTE = sql<{ readonly paymentId: number }>(
  'disputes.noteSubmissions',
  `update dispute_answers set submissions = $5 where ${held} returning payment_id`,
)

/** What the provider has before the first request is sent. False: another worker holds the operation. */
export const noteSubmissions = async (
  db: Queryable,
  answer: DisputeOperation,
  submissions: number,
): Promise<boolean> => (await db.query(NOTE, [...holdingOf(answer), submissions])).length > 0

const POSTPONE = sql<never>('disputes.postpone', `update dispute_answers set due_time = $5 where ${held}`)

export async function postponeAnswer(db: Queryable, answer: DisputeOperation, due: Date): Promise<void> {
  await db.query(POSTPONE, [...holdingOf(answer), due])
}

const END = sql<never>(
  'disputes.endAnswer',
  `with ended as (
     update dispute_answers set state = $5, problem = $6, due_time = null,
       sealed = case when $5 = 'draft' then sealed end
     where ${held} returning app_id, payment_id, dispute_id, state)
   update dispute_files f set sealed = null from ended e
   where e.state <> 'draft' and f.app_id = e.app_id and f.payment_id = e.payment_id
     and f.dispute_id = e.dispute_id`,
)

/** The result. What the provider has is removed here; an answer that failed is a draft again. */
export async function endAnswer(
  db: Queryable,
  answer: DisputeOperation,
  state: 'draft' | 'submitted' | 'accepted',
  problem: string | null,
): Promise<void> {
  await db.query(END, [...holdingOf(answer), state, problem])
}

export interface StoredFile {
  readonly kind: EvidenceFileKind
  readonly mediaType: MediaType
  readonly size: number
  readonly digest: Uint8Array
  readonly savedBy: string
  readonly savedTime: Date
  /** The provider has it, and it is removed here. */
  readonly isSent: boolean
}

const FILES = sql<StoredFile>(
  'disputes.files',
  `select kind, media_type, size, digest, saved_by, saved_time, sealed is null as is_sent
   from dispute_files where ${KEY} order by saved_time, kind`,
)

export const filesOf = (db: Queryable, key: AnswerKey): Promise<StoredFile[]> => db.query(FILES, keyOf(key))

const CONTENTS = sql<{
  readonly kind: EvidenceFileKind
  readonly mediaType: MediaType
  readonly sealed: Uint8Array
}>(
  'disputes.contents',
  `select kind, media_type, sealed from dispute_files where ${KEY} and sealed is not null order by kind`,
)

export const contentsOf = (db: Queryable, key: AnswerKey) => db.query(CONTENTS, keyOf(key))

const SAVE_FILE = sql<never>(
  'disputes.saveFile',
  `insert into dispute_files (app_id, payment_id, dispute_id, kind, media_type, size, digest, sealed,
     saved_by, saved_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (app_id, payment_id, dispute_id, kind) do update set media_type = excluded.media_type,
     size = excluded.size, digest = excluded.digest, sealed = excluded.sealed, saved_by = excluded.saved_by,
     saved_time = excluded.saved_time`,
)

type NewFile = Pick<StoredFile, 'kind' | 'mediaType' | 'size' | 'digest'> & { readonly sealed: Uint8Array }

export async function saveStoredFile(
  db: Queryable,
  key: AnswerKey,
  { kind, mediaType, size, digest, sealed }: NewFile,
  { by, time }: Author,
): Promise<void> {
  await db.query(SAVE_FILE, [...keyOf(key), kind, mediaType, size, digest, sealed, by, time])
}

const REMOVE_FILE = sql<{ readonly kind: string }>(
  'disputes.removeFile',
  `delete from dispute_files where ${KEY} and kind = $4 and sealed is not null returning kind`,
)

export const removeStoredFile = async (db: Queryable, key: AnswerKey, kind: string): Promise<boolean> =>
  (await db.query(REMOVE_FILE, [...keyOf(key), kind])).length > 0

const ERASE = sql<never>(
  'disputes.erase',
  `with files as (delete from dispute_files where app_id = $1 and payment_id = any ($2::bigint[]))
   delete from dispute_answers
   where app_id = $1 and payment_id = any ($2::bigint[]) and state not in ('submitted', 'accepted')`,
)

/** Removes drafts and files. Of an answer that was sent, only who sent it and when is left. */
export async function eraseAnswers(
  db: Queryable,
  appId: string,
  paymentIds: readonly number[],
): Promise<void> {
  await db.query(ERASE, [appId, paymentIds])
}
