import { createHash } from 'node:crypto'
import type { Scene } from './scene.ts'

/** PayPal's key is another one in each process. */
const SIGNED_OR_CERTIFICATE = /[\w+/]{171}=|-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/g

/** A short name for a whole history: every answer, every webhook, every line of the log and every row. */
export function digestOf({ world, tables }: Scene): string {
  const hash = createHash('sha256')
  const rows = tables.map(({ name, text }) => [
    name,
    text?.replaceAll(SIGNED_OR_CERTIFICATE, '').split('\n').sort(),
  ])
  const ledger = world.provider?.simulator.allEntries().map((entry) => Object.values(entry).join(' ')) ?? []
  for (const part of [world.heard, world.received, world.lines, rows, ledger])
    hash.update(JSON.stringify(part))
  return hash.digest('hex').slice(0, 16)
}
