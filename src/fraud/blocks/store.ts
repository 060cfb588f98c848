import { LIMITS } from '../../base/limits.ts'
import { type Queryable, sql } from '../../db/database.ts'
import { boundedPage, type Page, type PageRow, pageOf } from '../../db/page.ts'
import type { BlockKind } from '../verdict.ts'
import type { BlockKey, FoundBlock } from './rules.ts'

export interface BlockEntry extends FoundBlock {
  /** Null: erased with the data of its customer. */
  readonly value: string | null
  readonly reason: string | null
  /** The payment that it was taken from. */
  readonly paymentId: number | null
  readonly createdTime: Date
  /** The person or the API key. */
  readonly createdBy: string | null
  /** Null: it has no end. */
  readonly endTime: Date | null
}

const COLUMNS = 'entry_id, kind, value, reason, payment_id, created_time, created_by, end_time, is_allowed'

export interface NewBlock extends BlockKey {
  readonly value: string
}

/** What several new entries share. */
export interface BlockSource
  extends Pick<BlockEntry, 'reason' | 'createdTime' | 'createdBy' | 'endTime' | 'isAllowed'> {
  readonly paymentId: number | null
  readonly customerId: string | null
}

// An entry that exists gets the new effect, reason and end. Nothing is written if the list would be too long.
const ADD = sql<BlockEntry>(
  'blocks.add',
  `insert into block_entries as b (app_id, kind, match_key, value, reason, customer_id, payment_id,
     created_time, created_by, end_time, is_allowed)
   select $1, e.kind, e.key, e.value, $3, $4, $5, $6, $7, $8, $9
   from json_to_recordset($2) as e (kind text, key text, value text)
   where (select count(*) from block_entries where app_id = $1)
     + (select count(*) from json_to_recordset($2) as n (kind text, key text) where not exists (
         select from block_entries k where k.app_id = $1 and k.kind = n.kind and k.match_key = n.key)) <= $10
   on conflict (app_id, kind, match_key) do update
   set value = excluded.value, reason = excluded.reason, created_time = excluded.created_time,
     created_by = excluded.created_by, end_time = excluded.end_time, is_allowed = excluded.is_allowed,
     customer_id = coalesce(excluded.customer_id, b.customer_id),
     payment_id = coalesce(excluded.payment_id, b.payment_id)
   returning ${COLUMNS}`,
)

export function insertBlocks(
  tx: Queryable,
  appId: string,
  blocks: readonly NewBlock[],
  source: BlockSource,
): Promise<BlockEntry[]> {
  const { reason, customerId, paymentId, createdTime, createdBy, endTime, isAllowed } = source
  const values = [reason, customerId, paymentId, createdTime, createdBy, endTime, isAllowed]
  return tx.query(ADD, [appId, JSON.stringify(blocks), ...values, LIMITS.blockEntries])
}

const REMOVE = sql<BlockEntry>(
  'blocks.remove',
  `delete from block_entries where app_id = $1 and entry_id = $2 returning ${COLUMNS}`,
)

export const deleteBlock = async (tx: Queryable, appId: string, entryId: number) =>
  (await tx.query(REMOVE, [appId, entryId]))[0]

const ONE = sql<BlockEntry>(
  'blocks.one',
  `select ${COLUMNS} from block_entries where app_id = $1 and entry_id = $2`,
)

export const selectBlock = async (db: Queryable, appId: string, entryId: number) =>
  (await db.query(ONE, [appId, entryId]))[0]

/** $1 app, $2 kind, $3 the last entry of the page before, $4 rows, $5 bytes. */
const PAGE = sql<BlockEntry & PageRow>(
  'blocks.page',
  boundedPage(
    `select ${COLUMNS}, 200 + octet_length(coalesce(value, '')) + octet_length(coalesce(reason, '')) as size
     from block_entries where app_id = $1 and ($2::text is null or kind = $2) and entry_id < $3
     order by entry_id desc limit $4`,
    { order: 'entry_id desc', bytes: '$5' },
  ),
)

export interface BlockQuery {
  readonly kind?: BlockKind | undefined
  readonly before?: number | undefined
}

/** Newest first. */
export async function pageOfBlocks(
  db: Queryable,
  appId: string,
  { kind, before = Number.MAX_SAFE_INTEGER }: BlockQuery,
  limit: number,
): Promise<Page<BlockEntry>> {
  const rows = await db.query(PAGE, [appId, kind ?? null, before, limit + 1, LIMITS.pageBytes])
  return pageOf(rows, limit)
}

const FIND = sql<FoundBlock>(
  'blocks.find',
  `select b.entry_id, b.kind, b.is_allowed from unnest($2::text[], $3::text[]) as k (kind, key)
     join block_entries b on b.app_id = $1 and b.kind = k.kind and b.match_key = k.key
   where b.end_time is null or b.end_time > $4
   order by b.is_allowed, b.entry_id limit 1`,
)

/** The oldest entry that a key meets; one that stops payments goes before those that let them through. */
export async function findBlock(db: Queryable, appId: string, keys: readonly BlockKey[], now: Date) {
  const kinds = keys.map(({ kind }) => kind)
  const [found] = await db.query(FIND, [appId, kinds, keys.map(({ key }) => key), now])
  return found
}

// An e-mail address that was typed by hand has no customer: it is found by its hash.
const ERASE = sql<never>(
  'blocks.erase',
  `update block_entries b set value = null, reason = null
   where b.app_id = $1 and b.kind <> 'Customer'
     and (b.customer_id = $2 or b.kind = 'Email' and b.match_key = (
       select encode(sha256(convert_to($1 || E'\\nEmail\\n' || lower(c.email), 'UTF8')), 'hex')
       from customers c where c.app_id = $1 and c.customer_id = $2))`,
)

// A person who is erased is not trusted on behind a hash.
const ERASE_ALLOWED = sql<never>(
  'blocks.eraseAllowed',
  `delete from block_entries b where b.app_id = $1 and b.is_allowed
     and (b.customer_id = $2 or b.kind = 'Customer' and b.match_key = $2
       or b.kind = 'Email' and b.match_key = (
         select encode(sha256(convert_to($1 || E'\\nEmail\\n' || lower(c.email), 'UTF8')), 'hex')
         from customers c where c.app_id = $1 and c.customer_id = $2))`,
)

/** Before the customer's own row is erased. */
export async function eraseBlocks(tx: Queryable, appId: string, customerId: string): Promise<void> {
  await tx.query(ERASE_ALLOWED, [appId, customerId])
  await tx.query(ERASE, [appId, customerId])
}
