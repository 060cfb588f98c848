import { createHash } from 'node:crypto'
import type { Scene } from './scene.ts'

/** Written beside the payments, in batches: their rows depend on what else was written together. */
const DERIVED =
  /^public\.(?:api_log|api_log_minutes|provider_log|page_visits|payment_search\w*|\w+_rollups|rollup_queue)$/

/** A short name for a whole history: every answer, every webhook, every line of the log and every row. */
export function digestOf({ world, tables }: Scene): string {
  const hash = createHash('sha256')
  const rows = tables
    .filter(({ name }) => !DERIVED.test(name))
    .map(({ name, text }) => [name, text?.split('\n').sort()])
  const ledger = world.provider?.simulator.allEntries().map((entry) => Object.values(entry).join(' ')) ?? []
  for (const part of [world.heard, world.received, world.lines, rows, ledger])
    hash.update(JSON.stringify(part))
  return hash.digest('hex').slice(0, 16)
}
