import { type Checked, checkProblem } from '../check.ts'
import { textAt } from '../kit/json.ts'
import type { Connected } from '../port.ts'
import {
  anyInvoice,
  createWebhook,
  deleteWebhook,
  findPullPayments,
  findWebhooks,
  readServerInfo,
} from './calls.ts'
import { settingsProblem, TOO_LARGE } from './failures.ts'
import { type BtcpayContext, call, read } from './server.ts'
import { isAtLeast, LOWEST, versionIn, versionText } from './version.ts'
import { invoiceIn, listIn, pullPaymentIn } from './wire.ts'

/** Reads an invoice, the refunds and the version of the server. */
export async function check(ctx: BtcpayContext): Promise<Checked> {
  const { storeId } = ctx.config
  const invoices = await read(ctx, anyInvoice(storeId), (body) => listIn(body, invoiceIn))
  if (invoices.kind !== 'read')
    return { ok: false, problem: settingsProblem(invoices), code: checkProblem(invoices) }
  const refunds = await read(ctx, findPullPayments(storeId), (body) => listIn(body, pullPaymentIn))
  if (refunds.kind === 'not-done' && refunds.why === 'bad-credentials')
    return { ok: false, problem: settingsProblem(refunds), code: checkProblem(refunds) }
  const info = await read(ctx, readServerInfo, versionIn)
  if (info.kind === 'read' && !isAtLeast(info.value, LOWEST))
    return { ok: false, problem: tooOld(versionText(info.value)), code: 'refused' }
  const warnings = [
    ...(info.kind === 'read' ? [] : [`The version of the server is not known. ${TESTED}`]),
    ...(refunds.kind === 'unknown' && refunds.raw?.message === TOO_LARGE ? [TOO_MANY] : []),
  ]
  const tested = ['credentials', 'permissions'] as const
  return { ok: true, tested, account: storeId, ...(warnings.length > 0 ? { warnings } : {}) }
}

const TESTED = `The lowest version that was tested is ${versionText(LOWEST)}.`

const tooOld = (version: string): string =>
  `The server has version ${version}. ${TESTED} Update the server, then check again.`

const TOO_MANY =
  'The store has so many refunds that they cannot be listed: one whose answer is lost is not found again.'

/**
 * Registers the webhook. The server tells a secret only once, so a webhook with the same address is replaced:
 * first the new one is made, then the old ones are removed, so that no event is missed in between.
 */
export async function connect(ctx: BtcpayContext): Promise<Connected> {
  const { storeId } = ctx.config
  const listed = await read(ctx, findWebhooks(storeId), (body) => listIn(body, webhookIn))
  if (listed.kind !== 'read') return { ok: false, problem: settingsProblem(listed) }
  const made = await read(ctx, createWebhook(storeId, ctx.notifyUrl), (body) => textAt(body, 'secret'))
  if (made.kind !== 'read') return { ok: false, problem: settingsProblem(made) }
  for (const { id, url } of listed.value)
    if (url === ctx.notifyUrl) await call(ctx, deleteWebhook(storeId, id))
  return { ok: true, settings: { webhookSecret: made.value } }
}

function webhookIn(body: unknown): { id: string; url: string } | undefined {
  const id = textAt(body, 'id')
  const url = textAt(body, 'url')
  return id && url ? { id, url } : undefined
}
