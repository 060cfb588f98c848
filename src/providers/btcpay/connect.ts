import { textAt } from '../kit/json.ts'
import type { Connected } from '../port.ts'
import { createWebhook, deleteWebhook, findWebhooks } from './calls.ts'
import { settingsProblem } from './failures.ts'
import { type BtcpayContext, call, read } from './server.ts'
import { listIn } from './wire.ts'

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
