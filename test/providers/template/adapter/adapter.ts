import { type Checked, checkProblem } from '../../../../src/providers/check.ts'
import { problemOf } from '../../../../src/providers/kit/problem.ts'
import { unsupported } from '../../../../src/providers/kit/reply.ts'
import type { Connected, ProviderAdapter } from '../../../../src/providers/port.ts'
import {
  cancelPayment,
  capturePayment,
  openPage,
  readAccount,
  readPayment,
  refundPayment,
  registerWebhook,
} from './calls.ts'
import { type AcornPayContext, type AcornPayFailure, call } from './exchange.ts'
import { type AcornPaySettings, manifest } from './manifest.ts'
import { sightOf, startOutcome, stepOutcome } from './outcomes.ts'
import { received } from './receive.ts'
import { unfinished } from './unfinished.ts'

/** See docs/decisions/0000-acorn-pay.md. */
export const acornPay: ProviderAdapter<AcornPaySettings> = {
  manifest,
  check,
  connect,
  connectHelp: 'Paste this address at Acorn Pay under Developers, Webhooks.',
  async start(ctx, op, purchase) {
    if (purchase.instrument !== undefined) return unsupported('Acorn Pay is paid on its page.')
    if (purchase.storeMethod) return unsupported('Methods are not stored at Acorn Pay.')
    return startOutcome(await call(ctx, openPage(op, purchase)))
  },
  resume: async () => unsupported('Acorn Pay pays without a second step.'),
  charge: async () => unsupported('Methods are not stored at Acorn Pay.'),
  capture: async (ctx, op, handles, amount) =>
    stepOutcome(await call(ctx, capturePayment(op, handles, amount)), op),
  cancel: async (ctx, op, handles) => stepOutcome(await call(ctx, cancelPayment(op, handles)), op),
  refund: async (ctx, op, handles, amount) =>
    stepOutcome(await call(ctx, refundPayment(op, handles, amount)), op),
  retrieve: async (ctx, reference, handles) =>
    sightOf(await call(ctx, readPayment(reference, handles)), reference),
  forget: async () => unsupported('Methods are not stored at Acorn Pay.'),
  receive: async ({ config }, call) => received(config, call),
}

async function check(ctx: AcornPayContext): Promise<Checked> {
  const read = await call(ctx, readAccount())
  return read.kind === 'object' ? { ok: true, tested: ['credentials'] } : failedCheck(read)
}

/** In a sentence for the merchant. */
const failedCheck = (failed: AcornPayFailure) => ({
  ...{ ok: false as const, code: checkProblem(failed) },
  problem: problemOf(failed, WORDS),
})

const WORDS = {
  provider: 'Acorn Pay',
  key: 'the API key',
  denied: 'The API key has no permission for this',
}

async function connect(ctx: AcornPayContext): Promise<Connected> {
  const read = await call(ctx, registerWebhook(ctx.notifyUrl))
  return read.kind === 'object' ? unfinished('adapter.ts: the settings of connect') : failedCheck(read)
}
