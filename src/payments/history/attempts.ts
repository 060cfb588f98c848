import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { listAttemptSteps } from './store.ts'
import { attemptsView } from './view.ts'

/** The attempts to pay a payment, in order, with the outcome of each in words. */
export const attemptsOf = async (ctx: Pick<Context, 'db'>, app: App, paymentId: number) =>
  attemptsView(app, await listAttemptSteps(ctx.db, app.appId, paymentId))
