import { createCipheriv, createDecipheriv } from 'node:crypto'
import { hmacSha256, sameBytes } from '../base/secret.ts'

/**
 * Tokens in files, sealed with a key of the merchant. The same token gives the same text, so that two exports
 * can be compared: the initialisation vector is the MAC of what is sealed. Decision 0183.
 */

const PREFIX = 'sealed:1:'
const IV_BYTES = 16
const KEY = /^[0-9a-f]{64}$/i

export const isSealed = (token: string): boolean => token.startsWith(PREFIX)

/** 32 bytes in hexadecimal. Undefined: it is no key. */
export const readSealingKey = (text: string): Uint8Array | undefined =>
  KEY.test(text) ? Buffer.from(text, 'hex') : undefined

const parts = (key: Uint8Array) => ({
  encryption: hmacSha256(key, 'tender encryption'),
  authentication: hmacSha256(key, 'tender authentication'),
})

const macOf = (key: Uint8Array, customerId: string, token: string): Buffer =>
  hmacSha256(key, `${customerId}\n${token}`).subarray(0, IV_BYTES)

/** The customer is part of the MAC: a line cannot be given to another one. */
export function sealToken(key: Uint8Array, customerId: string, token: string): string {
  const { encryption, authentication } = parts(key)
  const iv = macOf(authentication, customerId, token)
  const cipher = createCipheriv('aes-256-ctr', encryption, iv)
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  return PREFIX + Buffer.concat([iv, text]).toString('base64')
}

/** Undefined: sealed with another key, for another customer, or changed since. */
export function openToken(key: Uint8Array, customerId: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64')
  if (bytes.length <= IV_BYTES) return undefined
  const { encryption, authentication } = parts(key)
  const iv = bytes.subarray(0, IV_BYTES)
  const decipher = createDecipheriv('aes-256-ctr', encryption, iv)
  const token = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString('utf8')
  return sameBytes(iv, macOf(authentication, customerId, token)) ? token : undefined
}
