import type { Bench, Figure } from './bench.ts'
import { allArrived, shopsOf } from './life.ts'
import type { LoadApp } from './load/plan.ts'
import type { Rig, Share } from './rig.ts'

const APPS = 24
const SECONDS = 6
const WARMING_SECONDS = 8

/**
 * What a payment in two steps writes: entries of each index and rows of each table, counted in PostgreSQL's
 * write-ahead log, with the bytes of the log.
 */
export const entries: Bench = {
  name: 'entries',
  onlyByName: true,
  bankApart: true,
  async run(rig, say) {
    const apps = await shopsOf(rig, APPS)
    await rig.db.query('create extension if not exists pg_walinspect')
    await rig.db.query(`alter system set wal_keep_size = '1GB'`)
    await rig.db.query('select pg_reload_conf()')
    await lives(rig, apps, { from: 0, seconds: WARMING_SECONDS })
    const from = await flushed(rig)
    const before = rig.usage()
    const count = await lives(rig, apps, { from: 1_000_000 * APPS, seconds: SECONDS })
    const usage = rig.usage()
    const written = await writtenSince(rig, from, await flushed(rig))
    const ms = (share: Share) => (usage[share].cpuMs - before[share].cpuMs) / count
    say(`${count} payments, CPU ${ms('service').toFixed(1)} and ${ms('postgres').toFixed(1)} ms each`)
    return figuresOf(written, count)
  },
}

/** Rates do not matter here, so other work on the machine does not either. */
async function lives(rig: Rig, apps: readonly LoadApp[], load: { from: number; seconds: number }) {
  const { count } = await rig.load({ scenario: 'twoSteps', apps, connections: 64, ...load })
  await allArrived(rig)
  return count
}

async function flushed(rig: Rig): Promise<string> {
  await rig.db.query('checkpoint')
  const { rows } = await rig.db.query<{ position: string }>('select pg_current_wal_flush_lsn() as position')
  return rows[0]?.position ?? ''
}

interface Written {
  readonly name: string
  readonly is_index: boolean
  readonly count: number
  readonly bytes: number
}

/** A split of a page of an index inserts one entry as well. Images of whole pages are left out. */
async function writtenSince(rig: Rig, from: string, to: string): Promise<Written[]> {
  const { rows } = await rig.db.query<Written>(
    `select c.oid::regclass::text as name, c.relkind = 'i' as is_index,
       count(*) filter (where w.block_id = 0 and case w.resource_manager
         when 'Btree' then w.record_type in ('INSERT_LEAF', 'INSERT_POST', 'SPLIT_L', 'SPLIT_R')
         when 'Gin' then w.record_type = 'INSERT'
         when 'Heap' then w.record_type ~ '^(INSERT|UPDATE|HOT_UPDATE)'
         when 'Heap2' then w.record_type ~ '^MULTI_INSERT'
         else false end)::integer as count,
       sum(w.record_length - coalesce(w.block_fpi_length, 0)) filter (where w.block_id = 0)::float8 as bytes
     from pg_get_wal_block_info($1, $2) w
     join pg_class c on pg_relation_filenode(c.oid) = w.relfilenode
     where w.reldatabase = (select oid from pg_database where datname = current_database())
       and c.relkind in ('r', 'i', 't')
     group by 1, 2`,
    [from, to],
  )
  return rows
}

function figuresOf(written: readonly Written[], payments: number): Figure[] {
  const ofIndexes = written.filter((each) => each.is_index)
  const all = ofIndexes.reduce((sum, { count }) => sum + count, 0) / payments
  const kb = written.reduce((sum, { bytes }) => sum + bytes, 0) / payments / 1_024
  const rows = [...written].sort((one, other) => other.count - one.count)
  return [
    { what: 'entries of indexes', value: all.toFixed(1), target: '≤ 60', ok: all <= 60, numbers: { all } },
    { what: 'log without images of pages', value: `${kb.toFixed(1)} KB`, numbers: { kb } },
    ...rows
      .filter(({ count, bytes }) => count / payments >= 0.05 || bytes / payments >= 50)
      .map(({ name, is_index, count, bytes }) => ({
        what: `${is_index ? 'index' : 'table'} ${name}`,
        value: `${(count / payments).toFixed(2)}, ${Math.round(bytes / payments)} B`,
        numbers: { count: count / payments, bytes: bytes / payments },
      })),
  ]
}
