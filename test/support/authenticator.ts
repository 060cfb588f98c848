import { createHash, generateKeyPairSync, sign } from 'node:crypto'

/** An authenticator in software: one passkey, ES256, attestation `none`. */
export interface Authenticator {
  readonly id: string
  /** The counter of the next signature; 0 for ever, like passkeys that are synchronised, when not changed. */
  counter: number
  create(options: { challenge: string; rp: { id?: string } }, origin: string): object
  get(options: { challenge: string; rpId?: string }, origin: string, flags?: number): object
}

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_CREDENTIAL = 64

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const text = (bytes: Buffer): string => bytes.toString('base64url')

/** A byte string of 24 to 65,535 bytes in CBOR, in its shortest form. */
function cborBytes(bytes: Buffer): Buffer {
  const { length } = bytes
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), bytes])
}
const cborText = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

export function createAuthenticator(name: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE_Key: kty EC2, alg ES256, crv P-256, x, y.
  const key = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ])
  const rawId = sha256(name)
  const id = text(rawId)

  function authenticatorData(rpId: string, flags: number, counter: number, more = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more])
  }

  const credential = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    id,
    counter: 0,
    create(options, origin) {
      const length = Buffer.from([rawId.length >> 8, rawId.length & 255])
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, key])
      const flags = USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL
      const data = authenticatorData(options.rp.id ?? '', flags, this.counter, attested)
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
        ...[cborText('authData'), cborBytes(data)],
      ])
      return credential({
        clientDataJSON: text(clientData('webauthn.create', options.challenge, origin)),
        attestationObject: text(attestationObject),
        transports: ['internal'],
      })
    },
    get(options, origin, flags = USER_PRESENT | USER_VERIFIED) {
      const data = authenticatorData(options.rpId ?? '', flags, this.counter)
      const client = clientData('webauthn.get', options.challenge, origin)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return credential({
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(signature),
      })
    },
  }
}
