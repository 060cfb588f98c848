import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { policyVersion } from '../policies/commands.ts'
import { selectVerdicts } from './store.ts'
import { verdictView } from './view.ts'

/** The verdicts on each attempt of a payment, explained with the policy version that was used. */
export async function paymentVerdicts(ctx: Context, app: App, paymentId: number) {
  const verdicts = await selectVerdicts(ctx.db, app.appId, paymentId)
  return Promise.all(
    verdicts.map(async (verdict) => {
      const { policyId, policyVersion: version } = verdict
      if (policyId === null || version === null) return verdictView(verdict, undefined)
      return verdictView(verdict, await policyVersion(ctx, app.appId, { policyId, version }))
    }),
  )
}
