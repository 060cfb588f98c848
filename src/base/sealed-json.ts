import type { Vault } from './secret.ts'

// JSON has neither bigints nor dates: each becomes an object with one member.

/** Encrypts a plain value, which may have bigints and dates in it. */
export const sealJson = (vault: Vault, value: object): Uint8Array =>
  vault.seal(
    JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
      const raw = this[name]
      if (typeof raw === 'bigint') return { $minor: raw.toString() }
      return raw instanceof Date ? { $time: raw.getTime() } : member
    }),
  )

export const openJson = <T>(vault: Vault, sealed: Uint8Array): T =>
  JSON.parse(vault.open(sealed), (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if ('$minor' in value) return BigInt(String(value.$minor))
    return '$time' in value ? new Date(Number(value.$time)) : value
  })
