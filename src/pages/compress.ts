import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { negotiateCoding } from '../http/content/encoding.ts'

/** Smaller answers fit into a packet as they are. */
const WORTH_BYTES = 1_200
/** A page is compressed while its reader waits: a little larger than the best, three times as fast. */
const LEVEL = 4

/**
 * Pages made for one request go out compressed, and nothing of them is kept. What is the same for every
 * request is FixedContent, which arrives here as bytes and passes unchanged.
 */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    if (typeof payload !== 'string' || payload.length < WORTH_BYTES || !isPage) return done(null, payload)
    reply.header('vary', 'accept-encoding')
    if (!negotiateCoding(request.headers['accept-encoding'], ['gzip'])) return done(null, payload)
    const packed = gzipSync(payload, { level: LEVEL })
    reply.header('content-encoding', 'gzip')
    reply.header('content-length', packed.length)
    done(null, packed)
  })
}
