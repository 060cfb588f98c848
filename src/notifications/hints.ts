import type { Vault } from '../base/secret.ts'
import type { Snapshot } from '../providers/outcome.ts'
import type { Hint } from '../providers/port.ts'

/** A hint as it is stored. A snapshot may contain the token of a stored method, so it is encrypted. */
export interface StoredHint extends Omit<Hint, 'snapshot'> {
  /** Base64. */
  readonly sealed?: string
}

export const packHints = (vault: Vault, hints: readonly Hint[]): StoredHint[] =>
  hints.map(({ snapshot, ...hint }) =>
    snapshot ? { ...hint, sealed: Buffer.from(vault.seal(write(snapshot))).toString('base64') } : hint,
  )

export const unpackHints = (vault: Vault, stored: readonly StoredHint[]): Hint[] =>
  stored.map(({ sealed, ...hint }) =>
    sealed === undefined ? hint : { ...hint, snapshot: read(vault.open(Buffer.from(sealed, 'base64'))) },
  )

// JSON has neither bigints nor dates: each becomes an object with one member.

function write(snapshot: Snapshot): string {
  return JSON.stringify(snapshot, function (this: Record<string, unknown>, name, value: unknown) {
    const raw = this[name]
    if (typeof raw === 'bigint') return { $minor: raw.toString() }
    return raw instanceof Date ? { $time: raw.getTime() } : value
  })
}

const read = (text: string): Snapshot =>
  JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if ('$minor' in value) return BigInt(String(value.$minor))
    return '$time' in value ? new Date(Number(value.$time)) : value
  })
