import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The only name that resolves, to this machine. */
export const HEALTHY_NAME = 'shop.neighbours.test'

const TTL_SECONDS = 5
const IPV4 = 1

/** Starts a name server that answers for one name and ignores all others. */
export async function startNameServer(): Promise<{ readonly address: string; stop(): void }> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const answer = answerTo(question)
    if (answer) socket.send(answer, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() }
}

/** RFC 1035: returns the question, with one record for an IPv4 query and none for other types. */
function answerTo(question: Buffer): Buffer | undefined {
  const { name, end } = readName(question, 12)
  if (name !== HEALTHY_NAME || question.length < end + 4) return undefined
  const isIPv4 = question.readUInt16BE(end) === IPV4
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(isIPv4 ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const asked = question.subarray(12, end + 4)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, TTL_SECONDS, 0, 4, 127, 0, 0, 1])
  return Buffer.concat([head, asked, ...(isIPv4 ? [record] : [])])
}

function readName(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = start
  for (let length = message[at] ?? 0; length > 0 && length < 64; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString('latin1'))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}
