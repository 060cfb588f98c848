import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { negotiateCoding } from '../../../http/content/encoding.ts'

/** Smaller responses fit into one packet uncompressed. */
const MIN_BYTES = 1_200
/** Compression delays the response: this level is three times as fast as the best, and slightly larger. */
const LEVEL = 4

/**
 * Compresses pages that are rendered per request; nothing is cached. Content that is the same for every
 * request is FixedContent: it arrives here as bytes and passes unchanged.
 */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    if (typeof payload !== 'string' || payload.length < MIN_BYTES || !isPage) return done(null, payload)
    reply.header('vary', 'accept-encoding')
    if (!negotiateCoding(request.headers['accept-encoding'], ['gzip'])) return done(null, payload)
    const compressed = gzipSync(payload, { level: LEVEL })
    reply.header('content-encoding', 'gzip')
    reply.header('content-length', compressed.length)
    done(null, compressed)
  })
}
