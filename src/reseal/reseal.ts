import { systemClock } from '../base/clock.ts'
import { systemRandom } from '../base/ids.ts'
import { createVault, type Vault } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { type Config, loadConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { findRunning } from '../db/embedded/running.ts'
import { openDatabase } from '../db/pool.ts'
import { reachServer } from '../db/reach.ts'
import { hasMailKeys, storeMailKeys } from '../mail/hash-keys.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { isCurrentLicenseKey } from '../merchants/keys/commands.ts'
import { checkSecretKey } from './secret-key.ts'
import {
  countBlocks,
  type Resealed,
  revokeLicenseKey,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedRow,
  selectLicenseKeys,
  selectMissingTables,
  selectSealed,
  updateSealed,
} from './store.ts'

const OPERATOR = { kind: 'operator', id: 'operator', name: 'operator', address: '', requestId: '' } as const

/** Blocks of 8 KiB that are read at once, and rows that are written in one statement. */
const BLOCKS = 64
const ROWS = 500

interface Work {
  readonly db: Database
  readonly vault: Vault
  /** Values that no key of SECRET_KEY opens. */
  unopened: number
}

/**
 * Finishes a change of SECRET_KEY: everything that an earlier key sealed is sealed by the first key, and keys
 * that licence codes gave out under an earlier one are revoked. The service may be running, if all nodes have
 * both keys. It may be interrupted and run again: what is done is left out. Returns lines about the result.
 * Decision 0149.
 */
export async function reseal(
  environment: Parameters<typeof loadConfig>[0],
  tell: (line: string) => void,
): Promise<string[]> {
  const config = await loadConfig(environment)
  const keys = config.secretKeys.map((key) => key.reveal())
  const { url, stop } = await openServer(config)
  const db = openDatabase({ url, size: 1 })
  const work: Work = { db, vault: createVault(keys, systemRandom), unopened: 0 }
  try {
    if ((await selectMissingTables(db)).length > 0) throw notMigrated()
    // Before any earlier key may be gone: hashes of unsubscribed addresses are compared under these keys.
    if (!(await hasMailKeys(work))) {
      await checkSecretKey(work)
      await storeMailKeys(work)
    }
    let total = 0
    for (const column of SEALED_COLUMNS) total += await resealColumn(work, column, tell)
    if (work.unopened > 0) throw incomplete(total, work.unopened)
    const revoked = await revokeEarlierKeys(work)
    return [
      `${total} values are sealed anew, ${revoked} keys of licences are revoked.`,
      'Remove the earlier keys from SECRET_KEY and start all nodes of the service again.',
    ]
  } finally {
    await db.close()
    await stop()
  }
}

const notMigrated = (): StartError =>
  new StartError(
    'The database has no tables of this version. Check DATABASE_URL or DATA_DIR; if they are right, start ' +
      'the service once, which brings the database up to date, and run this again.',
  )

const incomplete = (total: number, unopened: number): StartError =>
  new StartError(
    `${total} values are sealed anew. ${unopened} values were sealed by a key that SECRET_KEY does not ` +
      'hold, or are damaged: they stay as they are. Add that key to the end of SECRET_KEY and run this ' +
      'again.',
  )

async function openServer({ databaseUrl, dataDir }: Config) {
  const address = databaseUrl ? await reachServer(databaseUrl.reveal()) : await findRunning(dataDir)
  return address === undefined ? startEmbedded({ dataDir }) : { url: address, stop: async () => {} }
}

/** Until a pass finds nothing: rows that the service changes meanwhile move to other blocks. */
async function resealColumn(work: Work, column: SealedColumn, tell: (line: string) => void): Promise<number> {
  let total = 0
  for (;;) {
    const before = work.unopened
    const { written, missed } = await pass(work, column)
    total += written
    if (written === 0 && missed === 0) break
    // Counted again by the next pass.
    work.unopened = before
  }
  tell(`${column.table}.${column.column}: ${total} sealed anew`)
  return total
}

async function pass(work: Work, column: SealedColumn): Promise<{ written: number; missed: number }> {
  const { db, vault } = work
  const blocks = await countBlocks(db, column)
  const result = { written: 0, missed: 0 }
  for (let first = 0; first < blocks; first += BLOCKS) {
    const rows = await selectSealed(db, column, { first, end: first + BLOCKS, keyId: vault.keyId })
    const changed = rows.flatMap((row) => resealRow(work, column, row))
    for (let start = 0; start < changed.length; start += ROWS) {
      const batch = changed.slice(start, start + ROWS)
      const written = await updateSealed(db, column, batch)
      result.written += written
      result.missed += batch.length - written
    }
  }
  return result
}

/** Nothing when the first key has sealed the value already, or when no key opens it. */
function resealRow(work: Work, { format }: SealedColumn, row: SealedRow): Resealed[] {
  const { vault } = work
  const isCurrent = (sealed: Uint8Array) => Buffer.from(sealed).subarray(1, 5).equals(vault.keyId)
  const anew = (sealed: Uint8Array) => (isCurrent(sealed) ? sealed : vault.seal(vault.open(sealed)))
  const anewText = (text: string) => Buffer.from(anew(Buffer.from(text, 'base64'))).toString('base64')
  try {
    const { value } = row
    if (typeof value !== 'string') return [{ ...row, fresh: anew(value) }]
    const fresh = format === 'hints' ? hintsAnew(value, anewText) : anewText(value)
    return fresh === value ? [] : [{ ...row, fresh }]
  } catch {
    work.unopened++
    return []
  }
}

/** Members of stored notifications that are sealed; see notifications/hints.ts. */
const SEALED_MEMBERS: readonly string[] = ['sealed', 'sealedToken']

/** The same text if no member has changed. */
function hintsAnew(text: string, anew: (sealed: string) => string): string {
  let isChanged = false
  const hints: unknown = JSON.parse(text, (name, value: unknown) => {
    if (!SEALED_MEMBERS.includes(name) || typeof value !== 'string') return value
    const fresh = anew(value)
    isChanged ||= fresh !== value
    return fresh
  })
  return isChanged ? JSON.stringify(hints) : text
}

/** Who has an earlier SECRET_KEY can compute these keys. The next use of a licence code makes a new one. */
async function revokeEarlierKeys({ db, vault }: Work): Promise<number> {
  const ctx = { actor: OPERATOR, clock: systemClock, vault }
  let count = 0
  for (const key of await selectLicenseKeys(db)) {
    const owner = { appId: key.appId, isSandbox: key.isSandbox }
    if (isCurrentLicenseKey(ctx, owner, { keyId: key.keyId, hash: key.keyHash })) continue
    await db.transaction(async (tx) => {
      if (!(await revokeLicenseKey(tx, key, systemClock.now()))) return
      count++
      const app = { appId: key.appId, licenseId: key.licenseId }
      const entry = { action: 'key.revoked', target: `key:${key.keyId}`, after: { hint: key.hint } }
      await auditApp(ctx, tx, app, entry)
    })
  }
  return count
}
