import type { Context } from '../context.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { eraseMailsOf } from './store.ts'

/** Messages to a customer that were not sent yet. */
export const eraseMails = (
  ctx: Pick<Context, 'db'>,
  { appId, customerId }: { readonly appId: string; readonly customerId: string },
): Promise<void> => eraseMailsOf(ctx.db, appId, customerId)

/** The counts of days stay: emptying an app does not renew its limit. */
export const clearMails = clearTables(['mails', 'mail_walks', 'mail_opt_outs'])
