import type { InboundCall } from '../../../src/providers/port.ts'
import type { Feed } from '../kit/samples.ts'
import type { AcornPaySettings } from './adapter/manifest.ts'
import { sightOf } from './adapter/outcomes.ts'
import { received } from './adapter/receive.ts'

/**
 * Published samples: what the documentation and the official SDK show, each in a file of `samples/` with its
 * source. Write what a sample means before the code is changed to match. `test/providers/samples.test.ts`
 * wants at least twelve.
 */

const CONFIG: AcornPaySettings = { apiKey: 'key_of_the_samples', webhookSecret: 'secret_of_samples' }

/** Add the headers with which the provider signs. */
const inbound = (body: unknown): InboundCall => ({
  headers: {},
  rawBody: Buffer.from(JSON.stringify(body)),
  url: 'https://tender.example/notify',
})

export const feed: Feed = {
  event: (body) => received(CONFIG, inbound(body)),
  /** The reply to a read. `given` is our reference. */
  payment: (body, given) =>
    sightOf({ kind: 'object', object: body as Readonly<Record<string, unknown>> }, String(given)),
}
