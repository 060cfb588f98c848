import type { ProviderAdapter } from '../port.ts'
import { callApi } from './api.ts'
import { forgetCall } from './calls.ts'
import { disputes } from './disputes.ts'
import { manifest, type PaypalSettings } from './manifest.ts'
import { receive } from './notify/receive.ts'
import type { Certificates } from './notify/signature.ts'
import { check, connect } from './notify/webhooks.ts'
import { readAs } from './outcomes.ts'
import { retrieve } from './read/retrieve.ts'
import { settlements } from './settlements.ts'
import { cancel, capture, refund, resume, start, unlessRepeated } from './steps.ts'
import { charge } from './vault/charge.ts'
import { finishSetup, setUp } from './vault/setup.ts'
import { readStored } from './vault/wallets.ts'

/** Decision 0111. */
export function createPaypal(): ProviderAdapter<PaypalSettings> {
  const certificates: Certificates = new Map()
  return {
    manifest,
    check,
    connect,
    connectHelp: 'In the dashboard for developers, open the REST app and add the address under Webhooks.',
    start,
    resume: async (ctx, op, purchase, handles) =>
      unlessRepeated(ctx, op, await resume(ctx, op, purchase, handles)),
    charge: async (ctx, op, purchase, token) =>
      unlessRepeated(ctx, op, await charge(ctx, op, purchase, token)),
    capture: async (ctx, op, handles, amount) =>
      unlessRepeated(ctx, op, await capture(ctx, op, handles, amount)),
    cancel: async (ctx, op, handles) => unlessRepeated(ctx, op, await cancel(ctx, handles)),
    refund: async (ctx, op, handles, amount) =>
      unlessRepeated(ctx, op, await refund(ctx, op, handles, amount)),
    retrieve,
    async forget(ctx, token) {
      const read = readAs(await callApi(ctx, forgetCall(token)), (body) => body === undefined || undefined)
      const isGone = read.kind === 'read' || (read.kind === 'not-done' && read.why === 'not-found')
      if (isGone) return { kind: 'done' }
      if (read.kind !== 'declined') return read
      return { kind: 'not-done', why: 'bad-request', raw: read.raw }
    },
    readStored,
    setUp,
    finishSetup,
    receive: (ctx, call) => receive(ctx, call, certificates),
    settlements,
    disputes,
  }
}

export const paypal = createPaypal()
