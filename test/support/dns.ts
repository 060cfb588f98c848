import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'

type RecordType = 'A' | 'AAAA' | 'TXT'

/** Addresses of a name, or its texts; none: there is no such name. */
type DnsAnswer = readonly string[] | 'silent'

export interface DnsServer {
  /** As a resolver takes it, `address:port`. */
  readonly server: string
  /** Every question, in order: `A shop.test`. */
  readonly asked: readonly string[]
  ttlSeconds: number
  answer: (name: string, type: RecordType) => DnsAnswer
  stop(): Promise<void>
}

const TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
  [16, 'TXT'],
] as const)

/** A small name server on loopback, over UDP. */
export async function startDns(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (message, from) => {
    const { name, type, end } = questionOf(message)
    asked.push(`${type} ${name}`)
    const answer = dns.answer(name, type)
    if (answer === 'silent') return
    socket.send(
      answerOf(message.subarray(0, end), { type, answer, ttl: dns.ttlSeconds }),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const dns: DnsServer = {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    ttlSeconds: 30,
    answer: () => [],
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  return dns
}

const HEADER = 12

function questionOf(message: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = []
  let at = HEADER
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString('latin1'))
    at += 1 + length
  }
  const type = TYPES.get(message.readUInt16BE(at + 1) as 1 | 28 | 16) ?? 'A'
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

interface Wanted {
  readonly type: RecordType
  readonly answer: readonly string[]
  readonly ttl: number
}

function answerOf(question: Buffer, { type, answer, ttl }: Wanted): Buffer {
  const family = { A: 4, AAAA: 6, TXT: 0 }[type]
  const ofType = answer.filter((address) => isIP(address) === family)
  const head = Buffer.from(question)
  // An answer, recursion available; 3 is "no such name".
  head.writeUInt16BE(0x8180 | (answer.length === 0 ? 3 : 0), 2)
  head.writeUInt16BE(ofType.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...ofType.map((address) => recordOf(address, type, ttl))])
}

function recordOf(address: string, type: RecordType, ttl: number): Buffer {
  const data = dataOf(address, type)
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc000 | HEADER, 0)
  record.writeUInt16BE({ A: 1, AAAA: 28, TXT: 16 }[type], 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(ttl, 6)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([record, data])
}

function dataOf(value: string, type: RecordType): Buffer {
  if (type === 'AAAA') return ipv6(value)
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  const parts = value.match(/.{1,255}/gs) ?? []
  return Buffer.concat(
    parts.map((part) => Buffer.from(`${String.fromCharCode(part.length)}${part}`, 'latin1')),
  )
}

function ipv6(address: string): Buffer {
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const start = groups(left)
  const end = groups(right)
  const all = [...start, ...Array(8 - start.length - end.length).fill(0), ...end]
  return Buffer.from(all.flatMap((group: number) => [group >> 8, group & 255]))
}
