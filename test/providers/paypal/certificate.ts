import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A self-signed certificate, built here because Node can read certificates but not make them. */
export interface Identity {
  readonly privateKey: KeyObject
  readonly certificate: string
}

const node = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const NULL = 0x05
const OBJECT_ID = 0x06
const UTF8 = 0x0c
const UTC_TIME = 0x17
const VERSION = 0xa0

const SHA256_WITH_RSA = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]
const COMMON_NAME = [0x55, 0x04, 0x03]

const oid = (bytes: readonly number[]): Buffer => node(OBJECT_ID, Buffer.from(bytes))
const utcTime = (year: string): Buffer => node(UTC_TIME, Buffer.from(`${year}0101000000Z`))

function build(name: string): Identity {
  // Short, because every test process makes its own.
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const algorithm = node(SEQUENCE, oid(SHA256_WITH_RSA), node(NULL))
  const named = node(SEQUENCE, node(SET, node(SEQUENCE, oid(COMMON_NAME), node(UTF8, Buffer.from(name)))))
  const body = node(
    SEQUENCE,
    node(VERSION, node(INTEGER, Buffer.from([2]))),
    node(INTEGER, Buffer.from([1])),
    algorithm,
    named,
    node(SEQUENCE, utcTime('20'), utcTime('49')),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = node(BIT_STRING, Buffer.from([0]), sign('RSA-SHA256', body, privateKey))
  const der = node(SEQUENCE, body, algorithm, signature)
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  const certificate = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { privateKey, certificate }
}

let shared: Identity | undefined

/** One for all simulators of a process. */
export function identity(): Identity {
  shared ??= build('messageverificationcerts.paypal.com')
  return shared
}
