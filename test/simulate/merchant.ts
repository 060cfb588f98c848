import type { Answer } from '../support/tender.ts'
import { OPERATOR_TOKEN, type Reply } from './node.ts'
import type { World } from './world.ts'

/** What a merchant was told, and may therefore rely on. */
export interface Acknowledged {
  readonly paymentId: number
  readonly referenceId: string
  captured: boolean
  refundedMajor: number
}

export interface Merchant {
  readonly appId: string
  readonly apiKey: string
  readonly webhookSecret: string
  /** Begins every reference and customer of this merchant, so that a stranger's byte is recognised. */
  readonly mark: string
  readonly acknowledged: Map<string, Acknowledged>
  readonly customers: Set<string>
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply | undefined>
}

/** Everything that was answered, to be looked through afterwards. */
export interface Heard {
  readonly appId: string
  readonly status: number
  readonly text: string
  readonly what: string
}

export async function openMerchant(world: World, mark: string, heard: Heard[]): Promise<Merchant> {
  const license = await createLicense(world, mark)
  const [app] = license.apps
  const merchant: Merchant = {
    appId: app.appId,
    apiKey: app.apiKey,
    webhookSecret: app.webhookSecret,
    mark,
    acknowledged: new Map(),
    customers: new Set(),
    async call(method, path, body, headers = {}) {
      const url = `/api/apps/${app.appId}${path === '' ? '' : `/${path}`}`
      const reply = await world.anyNode().request(method, url, {
        body,
        headers: { authorization: `Bearer ${app.apiKey}`, ...headers },
      })
      if (reply) {
        heard.push({ appId: app.appId, status: reply.status, text: reply.text, what: `${method} ${path}` })
        if (reply.status < 300) note(merchant, reply.body)
      }
      return reply
    },
  }
  for (;;) {
    const reply = await merchant.call('PATCH', '', { paymentWebhookUrl: hookOf(mark) })
    if (reply?.status === 200) return merchant
  }
}

export const hookOf = (mark: string): string => `https://${mark}.example.com/hook`

async function createLicense(world: World, licenseName: string): Promise<Answer> {
  for (;;) {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const reply = await world.anyNode().request('POST', '/api/licenses', { body: { licenseName }, headers })
    if (reply?.status === 201) return reply.body
  }
}

function note({ acknowledged }: Merchant, payment: Answer): void {
  if (typeof payment?.paymentId !== 'number' || typeof payment.referenceId !== 'string') return
  const known = acknowledged.get(payment.referenceId)
  if (known && known.paymentId !== payment.paymentId)
    throw new Error(`reference ${payment.referenceId} is payment ${known.paymentId} and ${payment.paymentId}`)
  const entry = known ?? {
    paymentId: payment.paymentId,
    referenceId: payment.referenceId,
    captured: false,
    refundedMajor: 0,
  }
  entry.captured ||= payment.capturedAmount > 0
  entry.refundedMajor = Math.max(entry.refundedMajor, payment.refundedAmount)
  acknowledged.set(payment.referenceId, entry)
}
