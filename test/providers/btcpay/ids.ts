import { randomBytes } from 'node:crypto'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

let draw: (count: number) => Uint8Array = randomBytes
/** Ids are drawn from here, so that a seed gives the same ones again. */
export const drawFrom = (bytes: ((count: number) => Uint8Array) | undefined): void => {
  draw = bytes ?? randomBytes
}

/** Identifiers in the server's alphabet (base 58). */
export const base58 = (length: number): string =>
  Array.from(draw(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
