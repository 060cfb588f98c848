import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { inspect } from 'node:util'
import { assert } from './assert.ts'
import type { Random } from './ids.ts'

/** A value that must never be printed: logs, JSON and templates all show `***`. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '***'
  }
  toJSON(): string {
    return '***'
  }
  [inspect.custom](): string {
    return '***'
  }
}

/** Encrypts provider credentials, webhook secrets and provider tokens. */
export interface Vault {
  seal(plain: string): Uint8Array
  open(sealed: Uint8Array): string
  /** A key for one purpose, derived from the installation's secret. */
  derive(purpose: string): Uint8Array
  /** The same from every key, that of `derive` first: any of them may have made a hash that is stored. */
  deriveAll(purpose: string): readonly Uint8Array[]
  /** Which key seals: the bytes after the first in every value that it sealed. */
  readonly keyId: Uint8Array
}

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 4

/**
 * AES-256-GCM. Layout: version, key id, iv, tag, ciphertext. The key id tells which of several keys sealed a
 * value, so that SECRET_KEY can be rotated: the first key seals, all of them open.
 */
export function createVault(secretKeys: readonly string[], random: Random): Vault {
  const keys = secretKeys.map((text) => {
    const key = sha256(`tender:vault:${text}`)
    return { key: createSecretKey(key), id: sha256(key).subarray(0, KEY_ID_BYTES), text }
  })
  const [first] = keys
  assert(first, 'a vault needs a key')
  return {
    seal(plain) {
      const iv = random.bytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', first.key, iv)
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), first.id, iv, cipher.getAuthTag(), text])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      const id = bytes.subarray(1, 1 + KEY_ID_BYTES)
      const found = keys.find((candidate) => candidate.id.equals(id))
      assert(bytes[0] === VERSION && found, 'sealed with a key that SECRET_KEY does not hold')
      const iv = bytes.subarray(5, 5 + IV_BYTES)
      const tag = bytes.subarray(5 + IV_BYTES, 5 + IV_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', found.key, iv)
      decipher.setAuthTag(tag)
      const text = bytes.subarray(5 + IV_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
    derive: (purpose) => hmacSha256(first.text, `tender:${purpose}`),
    deriveAll: (purpose) => keys.map(({ text }) => hmacSha256(text, `tender:${purpose}`)),
    keyId: first.id,
  }
}

export const sha256 = (text: string | Uint8Array): Buffer => hash('sha256', text, 'buffer')

export const hmacSha256 = (key: Uint8Array | string, text: string | Uint8Array): Buffer =>
  createHmac('sha256', keyObject(key)).update(text).digest()

/** Node 24 needs 50 µs to find out that a key is none of these, more than for the rest of a signature. */
const keyObject = (key: Uint8Array | string): KeyObject =>
  typeof key === 'string' ? createSecretKey(key, 'utf8') : createSecretKey(key)

/** Compares in constant time. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

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
