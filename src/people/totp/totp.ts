import { createHmac } from 'node:crypto'
import { sameBytes } from '../../base/secret.ts'

// Time-based one-time passwords (RFC 6238), as authenticator apps compute them: SHA-1, 6 digits, 30 s.

const STEP_MS = 30_000
const DIGITS = 6
/** Codes of the step before and after are accepted too: clocks differ, and typing takes time. */
const DRIFT = [0, -1, 1]

export const stepOf = (now: Date): number => Math.floor(now.getTime() / STEP_MS)

/** The code of a step (RFC 4226, 5.3). */
export function codeOf(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** The step whose code this is, near the present one; undefined for a wrong code. */
export function matchingStep(secret: Uint8Array, code: string, now: Date): number | undefined {
  const typed = code.replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(typed)) return undefined
  const present = stepOf(now)
  // All of them are computed and compared, so that the time tells nothing.
  const steps = DRIFT.map((drift) => present + drift).filter((step) => {
    return sameBytes(Buffer.from(codeOf(secret, step)), Buffer.from(typed))
  })
  return steps[0]
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding, as authenticator apps read it. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31]
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text
}

/** The address that authenticator apps read from a QR code. */
export function otpauthUri(issuer: string, email: string, secret: Uint8Array): string {
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${email}`)}?${query}`
}
