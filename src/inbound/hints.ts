import { openJson, sealJson, type Vault } from '../base/secret.ts'
import type { Hint } from '../providers/hint.ts'
import type { Movement } from '../providers/movements.ts'

/** A hint as it is stored. Tokens of stored methods, also those in a movement, are encrypted. */
export interface StoredHint extends Omit<Hint, 'movement' | 'removedToken' | 'renewedToken'> {
  /** Base64. */
  readonly sealed?: string
  /** Base64. */
  readonly sealedToken?: string
  /** Base64. */
  readonly sealedRenewed?: string
}

export const packHints = (vault: Vault, hints: readonly Hint[]): StoredHint[] =>
  hints.map(({ movement, removedToken, renewedToken, ...hint }) => ({
    ...hint,
    ...(movement ? { sealed: Buffer.from(sealJson(vault, movement)).toString('base64') } : {}),
    ...(removedToken === undefined
      ? {}
      : { sealedToken: Buffer.from(vault.seal(removedToken)).toString('base64') }),
    ...(renewedToken === undefined
      ? {}
      : { sealedRenewed: Buffer.from(vault.seal(renewedToken)).toString('base64') }),
  }))

export const unpackHints = (vault: Vault, stored: readonly StoredHint[]): Hint[] =>
  stored.map(({ sealed, sealedToken, sealedRenewed, ...hint }) => ({
    ...hint,
    ...(sealed === undefined ? {} : { movement: openJson<Movement>(vault, Buffer.from(sealed, 'base64')) }),
    ...(sealedToken === undefined ? {} : { removedToken: vault.open(Buffer.from(sealedToken, 'base64')) }),
    ...(sealedRenewed === undefined
      ? {}
      : { renewedToken: vault.open(Buffer.from(sealedRenewed, 'base64')) }),
  }))
