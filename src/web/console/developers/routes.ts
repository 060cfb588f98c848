import type { Route } from '../../../http/route.ts'
import { seeOther } from '../../kit/request/page-route.tsx'
import type { Screens } from '../frame/screens.tsx'
import { showApiCall } from './api-log/call.tsx'
import { showApiLog } from './api-log/list.tsx'
import { postResend, showDelivery } from './delivery.tsx'
import { emailPreviewHtml, showEmailPreview } from './e-mails.tsx'
import { showEvent, showEvents } from './events.tsx'
import { askNewKey, postNewKey } from './key-form.tsx'
import { askRevoke, askRotate, postRevoke, postRotate, showKeys } from './keys.tsx'
import { showQuickstart } from './quickstart.tsx'
import { createToolPages, type TestTools } from './tools.tsx'
import {
  askResendFailed,
  askSecret,
  postAddress,
  postResendFailed,
  postSecret,
  postTest,
  showWebhooks,
} from './webhooks.tsx'

/** API keys, webhooks, events, the API log and the tools of the sandbox. */
export function developersScreens({ app }: Screens, options: TestTools): Route[] {
  const tools = createToolPages(options)
  return [
    app('GET', '/developers', ({ base }) => seeOther(`${base}/developers/keys`)),
    app('GET', '/developers/keys', showKeys),
    app('GET', '/developers/keys/new', (visit) => askNewKey(visit)),
    app('POST', '/developers/keys', postNewKey),
    app('GET', '/developers/keys/{keyId}/rotate', askRotate),
    app('POST', '/developers/keys/{keyId}/rotate', postRotate),
    app('GET', '/developers/keys/{keyId}/revoke', askRevoke),
    app('POST', '/developers/keys/{keyId}/revoke', postRevoke),
    app('GET', '/developers/webhooks', (visit) => showWebhooks(visit)),
    app('POST', '/developers/webhooks', postAddress),
    app('POST', '/developers/webhooks/test', postTest),
    app('GET', '/developers/webhooks/secret', askSecret),
    app('POST', '/developers/webhooks/secret', postSecret),
    app('GET', '/developers/webhooks/resend-failed', askResendFailed),
    app('POST', '/developers/webhooks/resend-failed', postResendFailed),
    app('GET', '/developers/webhooks/{eventId}', showDelivery),
    app('POST', '/developers/webhooks/{eventId}/resend', postResend),
    app('GET', '/developers/events', showEvents),
    app('GET', '/developers/events/{eventId}', showEvent),
    app('GET', '/developers/api-log', showApiLog),
    app('GET', '/developers/api-log/{requestId}', showApiCall),
    app('GET', '/developers/test-tools', tools.show),
    app('POST', '/developers/test-tools/faults', tools.arm),
    app('POST', '/developers/test-tools/clear-faults', tools.clear),
    app('POST', '/developers/test-tools/clock', tools.move),
    app('POST', '/developers/test-tools/trigger', tools.trigger),
    app('POST', '/developers/test-tools/hold', tools.hold),
    app('POST', '/developers/test-tools/end-hold', tools.endHold),
    app('GET', '/developers/e-mails', showEmailPreview),
    app('GET', '/developers/e-mails/preview', emailPreviewHtml),
    app('GET', '/developers/quickstart', showQuickstart),
  ]
}
