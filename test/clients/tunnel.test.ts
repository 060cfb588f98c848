import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENVIRONMENT, INSTALLED } from './drivers.ts'

const KEY = 'sk_sandbox_secret'
const PROGRAM = `
from tender_pay import Tender, TenderError
waits = []
tender = Tender("https://pay.example", app_id="app_1", api_key="${KEY}", sleep=waits.append)
try:
    tender.payments.cancel(1)
except TenderError as error:
    print(error.code, len(waits))`

/** The first byte that a client of TLS sends. */
const HANDSHAKE = 0x16

const received: Buffer[] = []
const plain: string[] = []
let proxy: Server
beforeAll(async () => {
  proxy = createServer((request, response) => {
    plain.push(`${request.method} ${request.url}`)
    response.writeHead(503).end()
  })
  proxy.on('connect', (_request, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.once('data', (chunk: Buffer) => {
      received.push(chunk)
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void proxy?.close())

it.skipIf(!INSTALLED.Python)('every try of the client for Python is encrypted behind a proxy', async () => {
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const env = { ...ENVIRONMENT, https_proxy: address, http_proxy: address, no_proxy: '' }
  const { stdout } = await promisify(execFile)('python3', ['-c', PROGRAM], { env })
  expect(stdout).toBe('no_answer 3\n')
  expect(received.map(([first]) => first)).toEqual([HANDSHAKE, HANDSHAKE, HANDSHAKE, HANDSHAKE])
  expect(Buffer.concat(received).toString('latin1')).not.toContain(KEY)
  expect(plain).toEqual([])
})
