import { createHmac } from 'node:crypto'
import { checkNothing } from '../bank.ts'
import { payByCard } from '../person.ts'
import type { Stage } from '../shop.ts'
import {
  becomes,
  check,
  isPlaced,
  paidVisit,
  paymentIdOf,
  type ShopCase,
  type Visit,
  visit,
} from './visit.ts'

export const HOSTILE: readonly ShopCase[] = [
  {
    name: 'a webhook sent three times at once',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      stage.shop.process.suspend()
      await payByCard(page)
      await becomes(made, 'Captured')
      const body = await capturedEvent(made)
      const signed = Array.from({ length: 3 }, () => send(stage, body, stage.tender.webhookSecret))
      stage.shop.process.resume()
      const answers = await Promise.all(signed)
      if (answers.some((status) => status >= 300)) throw new Error(`answered ${answers}`)
      await check(made)
    },
  },
  {
    name: 'a forged webhook and a browser that lies',
    isShort: true,
    async run(stage) {
      const other = await paidVisit(stage)
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      const truth = await capturedEvent(made)
      const forged = truth.replace('"paymentState":"Created"', '"paymentState":"Captured"')
      const statuses = [await send(stage, forged, `whsec_${Buffer.from('wrong').toString('base64')}`)]
      statuses.push(await send(stage, forged, undefined))
      if (statuses.some((status) => status < 400)) throw new Error(`forged webhooks: answered ${statuses}`)
      await made.cart.cheat(await newestPaid(other))
      await checkNothing(made.tender, made.since, made.cart)
      await payByCard(page)
      await isPlaced(made)
      await check(made)
    },
  },
]

const newestPaid = async ({ cart }: Visit): Promise<number> =>
  (await cart.order()).payments[0]?.paymentId ?? 0

/** The body of the event that says Captured, as the service sends it. */
async function capturedEvent(made: Visit): Promise<string> {
  const paymentId = await paymentIdOf(made)
  const events = await made.tender.client.events.list({ paymentId }).take(20)
  return JSON.stringify(events.find(({ payment }) => payment?.paymentState === 'Captured') ?? events[0])
}

/** Sends a body as the service would, signed with this secret, or not at all. Gives the status. */
async function send({ shop }: Stage, body: string, secret: string | undefined): Promise<number> {
  const id = 'evt_again'
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const signature: Record<string, string> = secret === undefined ? {} : { 'webhook-signature': `v1,${mac}` }
  const { status } = await fetch(shop.webhookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...signature,
    },
    body,
  })
  return status
}
