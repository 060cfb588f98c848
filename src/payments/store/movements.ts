import { createHash } from 'node:crypto'
import { openJson, sealJson } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/database.ts'
import { type Movement, nameOf } from '../../providers/movements.ts'

/** Movements of one attempt, in the order in which they were reported. */

/** More than any payment has. A provider's error must not make reading an attempt slow. */
const MOST = 200

interface AttemptName {
  readonly appId: string
  readonly attemptKey: string
}

const NOTE = sql<never>(
  'movements.note',
  `insert into provider_movements (app_id, attempt_key, movement, received_time, sealed)
   select $1, $2, $3, $4, $5
   where (select count(*) from provider_movements where app_id = $1 and attempt_key = $2) < ${MOST}
   on conflict do nothing`,
)

/** Keeps a movement. The first report counts: a repetition changes nothing. */
export async function noteMovement(
  { db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>,
  { appId, attemptKey }: AttemptName,
  movement: Movement,
): Promise<void> {
  const sealed = sealJson(vault, movement)
  // The id of a movement may be that of a stored method, which is a secret.
  const name = createHash('sha256').update(nameOf(movement)).digest('base64url')
  await db.query(NOTE, [appId, attemptKey, name, clock.now(), sealed])
}

const LIST = sql<{ sealed: Uint8Array }>(
  'movements.list',
  `select sealed from provider_movements where app_id = $1 and attempt_key = $2 order by movement`,
)

export async function movementsOf(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  { appId, attemptKey }: AttemptName,
): Promise<readonly Movement[]> {
  const rows = await db.query(LIST, [appId, attemptKey])
  return rows.map(({ sealed }) => openJson<Movement>(vault, sealed))
}
