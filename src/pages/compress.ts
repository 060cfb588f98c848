import { constants, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Smaller answers fit into a packet as they are. */
const WORTH_BYTES = 1_200
const TEXTS = /^(?:text\/(?:html|css|javascript)|image\/svg)/

/** Pages, sheets and scripts go out compressed; what browsers may keep for ever is compressed once. */
export function compressPages(app: FastifyInstance): void {
  const kept = new Map<string, Buffer>()
  app.addHook('onSend', (request, reply, payload, done) => {
    const type = String(reply.getHeader('content-type') ?? '')
    if (typeof payload !== 'string' || payload.length < WORTH_BYTES || !TEXTS.test(type))
      return done(null, payload)
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return done(null, payload)
    const isKept = String(reply.getHeader('cache-control') ?? '').includes('immutable')
    const packed = (isKept ? kept.get(request.url) : undefined) ?? pack(payload, isKept)
    if (isKept) kept.set(request.url, packed)
    reply.header('content-encoding', 'gzip')
    reply.header('content-length', packed.length)
    done(null, packed)
  })
}

/** A page is packed while its reader waits: a little less small, three times as fast. */
const pack = (text: string, thoroughly: boolean): Buffer =>
  gzipSync(text, { level: thoroughly ? constants.Z_BEST_COMPRESSION : 4 })
