import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pause } from '../support/service-process.ts'
import { seconds } from './crashes.ts'
import type { Outcome, Scenario, Stage } from './scenario.ts'

const CONNECTIONS = 500
const POOL = 10
const SLOW = 150
const UPLOADS = 200
const UPLOAD_BYTES = 50 * 2 ** 20
const AT_ONCE = 20

export const connections: Scenario = {
  name: 'connections',
  fault: `${CONNECTIONS} concurrent connections on a pool of ${POOL}, for 10 s`,
  env: { DATABASE_POOL: String(POOL) },
  warmUp: CONNECTIONS,
  async run({ rig }) {
    const crowd = rig.gather(CONNECTIONS)
    await pause(8_000)
    const [busy] = await rig.ask<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await pause(2_000)
    const tally = await crowd.leave()
    const open = busy?.count ?? 0
    // One more connection is for LISTEN.
    const problems = open > POOL + 1 ? [`${open} connections to PostgreSQL were open`] : []
    if (tally.cut > 0) problems.push(`${tally.cut} connections were cut: ${[...tally.cuts].join(', ')}`)
    return { what: `${open} connections to PostgreSQL`, tally, problems }
  },
}

export const slow: Scenario = {
  name: 'slow',
  fault: `${SLOW} senders of a header byte per second and ${SLOW} of a body byte per second, beside shoppers`,
  run: withSlowSenders,
}

async function withSlowSenders({ rig, service }: Stage): Promise<Outcome> {
  const port = Number(new URL(service.url).port)
  const startMs = performance.now()
  const crowd = rig.gather(8)
  const head = 'POST /api/provider-webhook HTTP/1.1\r\nhost: localhost\r\n'
  const body = `${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n`
  const ends = Array.from({ length: 2 * SLOW }, (_, index) => trickle(port, index % 2 === 0 ? head : body))
  const answers = await Promise.all(ends)
  const tookMs = performance.now() - startMs
  const tally = await crowd.leave()
  const refused = answers.filter((answer) => answer.includes('408')).length
  const problems = refused === answers.length ? [] : [`only ${refused} of ${answers.length} got 408`]
  return { what: `all got 408 within ${seconds(tookMs)}`, tally, problems }
}

/** Sends the first part immediately and then a byte per second until the server closes the connection. */
function trickle(port: number, first: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(first))
    const timer = setInterval(() => socket.write('x'), 1_000)
    socket.on('data', (chunk) => (received += chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve(received)
    })
  })
}

export const uploads: Scenario = {
  name: 'uploads',
  fault: `${UPLOADS} uploads of 50 MB, ${AT_ONCE} at once, half of them without a length, beside shoppers`,
  async run({ rig, service }) {
    const crowd = rig.gather(4)
    const [shop] = rig.shops
    const url = `${service.url}/api/apps/${shop?.appId}/payments`
    const results: Uploaded[] = []
    let next = 0
    const lane = async () => {
      while (next < UPLOADS) results.push(await upload(url, shop?.apiKey ?? '', next++ % 2 === 0))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    const tally = await crowd.leave()
    const taken = results.reduce((sum, { bytes }) => sum + bytes, 0)
    const wrong = results.filter(({ status }) => status !== 413 && status !== 'cut')
    const problems = wrong.map(({ status }) => `an upload was answered with ${status}`)
    return { what: `${Math.round(taken / 2 ** 20)} MB of 10,000 were read before refusal`, tally, problems }
  },
}

interface Uploaded {
  readonly status: number | 'cut'
  readonly bytes: number
}

const CHUNK = Buffer.alloc(64 * 1024, 0x20)

function upload(url: string, key: string, hasLength: boolean): Promise<Uploaded> {
  return new Promise((resolve) => {
    let bytes = 0
    const body = new Readable({
      read() {
        const isDone = bytes >= UPLOAD_BYTES
        if (!isDone) bytes += CHUNK.length
        this.push(isDone ? null : CHUNK)
      },
    })
    const length = hasLength ? { 'content-length': UPLOAD_BYTES } : {}
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...length }
    const outgoing = request(url, { method: 'POST', agent: false, headers })
    const end = (status: Uploaded['status']) => {
      body.destroy()
      outgoing.destroy()
      resolve({ status, bytes })
    }
    outgoing.on('response', (response) => end(response.statusCode ?? 0))
    outgoing.on('error', () => end('cut'))
    body.pipe(outgoing)
  })
}
