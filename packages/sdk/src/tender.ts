import { resourcesOf } from './generated/resources.ts'
import { senderOf, type TenderOptions } from './send.ts'

export { TenderError, type TenderErrorCode } from './errors.ts'
export type * from './generated/types.ts'
export type { CallOptions, Id, List, TenderFile, TenderOptions } from './send.ts'
export {
  type PaymentStateChanged,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookProblem,
  type WebhookTest,
} from './webhooks.ts'

/** A client for one app: `tender.payments.get(10001)`. */
export type Tender = ReturnType<typeof resourcesOf>

export function createTender(options: TenderOptions): Tender {
  return resourcesOf(senderOf(options))
}
