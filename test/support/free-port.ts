import { createServer } from 'node:net'
import { freePort as anyPort } from '../../src/net/free-port.ts'

/**
 * Below the ports of outgoing connections: one of those could be taken between the choice and the listener.
 * Each process of Vitest has ports of its own.
 */
const FIRST = 20_000
const SLICE = 1_000
const SLICES = 12
const slice = Number(process.env.VITEST_POOL_ID ?? Number.NaN) % SLICES
/** Two runs of the tests on one machine begin at other places. */
let next = process.pid % SLICE

/** A port of this host without a listener, for a service that must know it before it listens. */
export async function freePort(): Promise<number> {
  if (Number.isNaN(slice)) return anyPort('127.0.0.1')
  for (let tries = 0; tries < SLICE; tries++) {
    const port = FIRST + slice * SLICE + (next++ % SLICE)
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', () => resolve(false))
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)))
  })
