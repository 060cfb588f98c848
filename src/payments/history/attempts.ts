import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { listAttemptSteps } from './store.ts'
import { attemptsFrom } from './view.ts'

/** The attempts to pay a payment, in order, with how each stands. */
export const attemptsOf = async (ctx: Pick<Context, 'db'>, app: App, paymentId: number) =>
  attemptsFrom(app, await listAttemptSteps(ctx.db, app.appId, paymentId))
