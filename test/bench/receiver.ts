import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A webhook receiver in a separate process: returns 200 and records the arrival time of each webhook. On a
 * message it reports the records; lag counts from the event's createdTime, which is before the commit.
 */
export interface Received {
  readonly count: number
  readonly distinct: number
  readonly firstMs: number
  readonly lastMs: number
  readonly lagsMs: readonly number[]
}

const now = () => performance.timeOrigin + performance.now()

let ids = new Set<string>()
let lagsMs: number[] = []
let count = 0
let firstMs = 0
let lastMs = 0

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    lastMs = now()
    if (count === 0) firstMs = lastMs
    count++
    ids.add(String(request.headers['webhook-id']))
    const created = /"createdTime":"([^"]+)"/.exec(body)?.[1]
    if (created) lagsMs.push(lastMs - Date.parse(created))
    response.end()
  })
})

process.on('message', (ask: 'report' | 'reset') => {
  if (ask === 'report')
    process.send?.({ count, distinct: ids.size, firstMs, lastMs, lagsMs } satisfies Received)
  if (ask === 'reset') {
    ids = new Set()
    lagsMs = []
    count = 0
    process.send?.('done')
  }
})

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
