import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { systemClock } from '../../../src/base/clock.ts'
import { systemRandom } from '../../../src/base/ids.ts'
import { createVault } from '../../../src/base/secret.ts'
import { openDatabase } from '../../../src/db/pool.ts'
import { createLog } from '../../../src/log.ts'
import type { Bank } from '../../../src/sandbox/bank/bank.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { createTimes } from './times.ts'

/** Settings of the process, the first message to it. */
export interface BankSettings {
  readonly databaseUrl: string
  readonly publicUrl: string
  readonly secretKey: string
}

/** How often the bank looks for due notifications, as in the service. */
const EVERY_MS = 250

const times = createTimes()

/**
 * The sandbox's bank in a process and a database of its own, like any other provider: its CPU time is not the
 * service's. It measures how long it takes for each payment; on the message `times` it reports that.
 */
process.once('message', (settings: BankSettings) => void start(settings))

async function start({ databaseUrl, publicUrl, secretKey }: BankSettings): Promise<void> {
  const db = openDatabase({ url: databaseUrl, size: 4 })
  const log = createLog('warn')
  const vault = createVault([secretKey], systemRandom)
  const common = { db, clock: systemClock, random: systemRandom, log, vault, publicUrl }
  const { bank } = createSandbox({ ...common, address: 'http://127.0.0.1' })
  // Reads the secret of the keys.
  await bank.start()
  setInterval(
    () => void bank.begin().catch((error: Error) => log.warn('bank', { error: error.message })),
    EVERY_MS,
  )
  process.on('message', () => process.send?.(times.take()))
  const server = createServer((request, response) => void respond(bank, request, response))
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

async function respond(bank: Bank, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startMs = performance.now()
  const { method = '', url = '/', headers } = request
  const asked = await text(request)
  const key = headers['idempotency-key']
  const { status, body } = await bank.answer({
    ...{ method, url, authorization: headers.authorization },
    idempotencyKey: typeof key === 'string' ? key : undefined,
    body: async () => asked,
  })
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  if (method === 'POST' && status < 300)
    times.add(url, { asked, answer: body, ms: performance.now() - startMs })
}
