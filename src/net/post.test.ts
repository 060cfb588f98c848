import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createPost, type Posting } from './post.ts'

const post = createPost({ allowPrivate: true })
const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** A server that sends raw bytes. */
async function saying(talk: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => talk(socket))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
}

const posting = (url: string, more: Partial<Posting> = {}): Posting => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 300,
  answerBytes: 4_096,
  answerMs: 200,
  ...more,
})

const OK = 'HTTP/1.1 200 OK\r\n'

describe('an endpoint', () => {
  it('that hangs times out', async () => {
    const url = await saying(() => {})
    expect(await post.send(posting(url))).toEqual({ kind: 'no-reply', error: 'late:0.3' })
  })

  it('that sends its headers too slowly times out', async () => {
    const url = await saying((socket) => {
      socket.write(OK)
      const drip = setInterval(() => socket.write('x-a: b\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    expect(await post.send(posting(url))).toMatchObject({ kind: 'no-reply' })
  })

  it('that streams without end is read up to the limit', async () => {
    const url = await saying((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
      const flood = setInterval(() => socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`), 1)
      socket.on('close', () => clearInterval(flood))
    })
    const reply = await post.send(posting(url, { answerBytes: 5_000, answerMs: 60_000 }))
    expect(reply).toEqual({ kind: 'reply', status: 200, retryAfter: undefined, text: 'x'.repeat(5_000) })
  })

  it('that sends its body slowly has the status and the part of the body received so far', async () => {
    const url = await saying((socket) => {
      socket.write(`${OK}content-length: 1000\r\n\r\nbeginning`)
    })
    expect(await post.send(posting(url))).toMatchObject({ kind: 'reply', status: 200, text: 'beginning' })
  })

  it('that closes early has no response', async () => {
    const url = await saying((socket) => socket.end())
    expect(await post.send(posting(url))).toEqual({
      kind: 'no-reply',
      error: 'closed',
    })
  })

  it('that sends invalid HTTP has no response', async () => {
    const url = await saying((socket) => socket.end('220 mail.example ESMTP\r\n'))
    expect(await post.send(posting(url))).toEqual({ kind: 'no-reply', error: 'not-http' })
  })

  it('that redirects is not followed', async () => {
    let followed = false
    const elsewhere = await saying(() => {
      followed = true
    })
    const url = await saying((socket) =>
      socket.end(`HTTP/1.1 302 Found\r\nlocation: ${elsewhere}\r\ncontent-length: 0\r\n\r\n`),
    )
    expect(await post.send(posting(url))).toMatchObject({ kind: 'reply', status: 302 })
    expect(followed).toBe(false)
  })

  it('that sends NUL and invalid UTF-8 yields text that a database accepts', async () => {
    const url = await saying((socket) => {
      socket.write(`${OK}content-length: 4\r\n\r\n`)
      socket.end(Buffer.from([0x61, 0x00, 0xff, 0x62]))
    })
    expect(await post.send(posting(url))).toMatchObject({ text: 'a\ufffd\ufffdb' })
  })

  it('without a listener refuses the connection', async () => {
    const url = await saying(() => {})
    await new Promise((resolve) => servers.pop()?.close(resolve))
    expect(await post.send(posting(url))).toEqual({ kind: 'no-reply', error: 'refused' })
  })

  it('is disconnected on shutdown', async () => {
    const url = await saying(() => {})
    const stopping = new AbortController()
    const reply = post.send(posting(url, { signal: stopping.signal, timeoutMs: 5_000 }))
    setTimeout(() => stopping.abort(), 20)
    expect(await reply).toMatchObject({ kind: 'interrupted' })
  })
})
