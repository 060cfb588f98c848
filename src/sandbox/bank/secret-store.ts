import { assert } from '../../base/assert.ts'
import type { Random } from '../../base/ids.ts'
import type { Vault } from '../../base/secret.ts'
import { type Queryable, sql } from '../../db/database.ts'

const insertIfAbsent = sql(
  'sandbox_bank.offer_secret',
  'insert into sandbox_bank.secret (sealed) values ($1) on conflict do nothing',
)
const read = sql<{ sealed: Uint8Array }>('sandbox_bank.read_secret', 'select sealed from sandbox_bank.secret')

const SECRET_BYTES = 32

/** The bank's secret. The first node creates it; all nodes use it from then on. */
export async function bankSecret(db: Queryable, vault: Vault, random: Random): Promise<Uint8Array> {
  const fresh = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')
  await db.query(insertIfAbsent, [vault.seal(fresh)])
  const [row] = await db.query(read)
  assert(row, 'the secret was just written')
  return Buffer.from(vault.open(row.sealed), 'base64')
}
