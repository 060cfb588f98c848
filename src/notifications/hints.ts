import { openJson, sealJson, type Vault } from '../base/secret.ts'
import type { Movement } from '../providers/movements.ts'
import type { Hint } from '../providers/port.ts'

/** A hint as it is stored. A movement may contain the token of a stored method, so it is encrypted. */
export interface StoredHint extends Omit<Hint, 'movement'> {
  /** Base64. */
  readonly sealed?: string
}

export const packHints = (vault: Vault, hints: readonly Hint[]): StoredHint[] =>
  hints.map(({ movement, ...hint }) =>
    movement ? { ...hint, sealed: Buffer.from(sealJson(vault, movement)).toString('base64') } : hint,
  )

export const unpackHints = (vault: Vault, stored: readonly StoredHint[]): Hint[] =>
  stored.map(({ sealed, ...hint }) =>
    sealed === undefined
      ? hint
      : { ...hint, movement: openJson<Movement>(vault, Buffer.from(sealed, 'base64')) },
  )
