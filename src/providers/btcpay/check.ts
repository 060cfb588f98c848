import { type Checked, checkProblem } from '../check.ts'
import { anyInvoice, findPullPayments, readServerInfo } from './calls.ts'
import { settingsProblem, TOO_LARGE } from './failures.ts'
import { type BtcpayContext, read } from './server.ts'
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
  return { ok: true, account: storeId, ...(warnings.length > 0 ? { warnings } : {}) }
}

const TESTED = `The lowest version that was tested is ${versionText(LOWEST)}.`

const tooOld = (version: string): string =>
  `The server has version ${version}. ${TESTED} Update the server, then check again.`

const TOO_MANY =
  'The store has so many refunds that they cannot be listed: one whose answer is lost is not found again.'
