import type { Connected, ProviderAdapter } from '../port.ts'
import { readMethods } from './calls.ts'
import { ask, type MollieContext, type MollieFailure } from './exchange.ts'
import { type MollieSettings, manifest } from './manifest.ts'
import { unsupported } from './outcomes.ts'
import { received } from './receive.ts'
import { retrieve } from './retrieve.ts'
import { cancel, capture, charge, forget, refund, start } from './steps.ts'

/**
 * Mollie's Payments API with its hosted checkout. Its notifications are not signed and only name a payment.
 * See docs/decisions/0121-mollie.md.
 */
export const mollie: ProviderAdapter<MollieSettings> = {
  manifest,
  check,
  connect,
  connectHelp: 'Nothing to do at Mollie: every payment carries this address.',
  start,
  resume: async () => unsupported('Mollie pays without a second step.'),
  charge,
  capture,
  cancel,
  refund,
  retrieve: (ctx, reference, handles) => retrieve(ctx, reference, handles),
  forget,
  receive: async (_ctx, { rawBody }) => received(rawBody),
}

async function check(ctx: MollieContext): Promise<{ ok: true } | { ok: false; problem: string }> {
  const read = await ask(ctx, readMethods())
  return read.kind === 'object' ? { ok: true } : { ok: false, problem: problemOf(read) }
}

/** Every payment names the address for its notifications, so there is nothing to register. */
async function connect(ctx: MollieContext): Promise<Connected> {
  const checked = await check(ctx)
  return checked.ok ? { ok: true, settings: {} } : checked
}

/** What is wrong, in a sentence for the merchant. */
function problemOf(failed: MollieFailure): string {
  const says = failed.raw?.message ? `: ${failed.raw.message}` : '.'
  if (failed.kind === 'not-done' && failed.why === 'bad-credentials')
    return failed.raw?.status === 403
      ? `The API key has no permission for this${says}`
      : `Mollie does not accept the API key${says}`
  if (failed.kind === 'not-done' && failed.why === 'not-sent') return 'Mollie could not be reached.'
  if (failed.kind === 'not-done' && failed.why === 'rate-limited')
    return 'Mollie was asked too often; try again.'
  return `Mollie answered with an error${says}`
}
