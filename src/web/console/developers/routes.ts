import { seeOther } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { showApiCall } from './api-log/call.tsx'
import { showApiLog } from './api-log/list.tsx'
import { showArrived, showConnect } from './connect.tsx'
import { postResend, showDelivery } from './delivery.tsx'
import { emailPreviewHtml, showEmailPreview } from './e-mails.tsx'
import { endpointScreens } from './endpoints.tsx'
import { showEvent, showEvents } from './events.tsx'
import { keyQuestions, postNewKey, showKeys, showNewKey } from './keys.tsx'
import { showQuickstart } from './quickstart.tsx'
import { type TestTools, toolRoutes } from './tools.tsx'
import { postAddress, postTest, showWebhooks, webhookQuestions } from './webhooks.tsx'

/** API keys, webhooks, events, the API log and the tools of the sandbox. */
export const developersScreens = (tools: TestTools): ScreenRoute[] => [
  app('GET', '/developers', 'DeveloperRead', ({ base }) => seeOther(`${base}/developers/keys`)),
  app('GET', '/developers/keys', 'DeveloperRead', showKeys),
  app('GET', '/developers/keys/new', proof('DeveloperWrite'), (request) => showNewKey(request)),
  app('POST', '/developers/keys', proof('DeveloperWrite', '/developers/keys/new'), postNewKey),
  ...keyQuestions,
  app('GET', '/developers/webhooks', 'DeveloperRead', (request) => showWebhooks(request)),
  app('POST', '/developers/webhooks', proof('AppSettingWrite'), postAddress),
  app('POST', '/developers/webhooks/test', 'DeveloperWrite', postTest),
  ...webhookQuestions,
  ...endpointScreens,
  app('GET', '/developers/webhooks/{eventId}', 'DeveloperRead', showDelivery),
  app('POST', '/developers/webhooks/{eventId}/resend', 'DeveloperWrite', postResend),
  app('GET', '/developers/events', 'DeveloperRead', showEvents),
  app('GET', '/developers/events/{eventId}', 'DeveloperRead', showEvent),
  app('GET', '/developers/api-log', 'DeveloperRead', showApiLog),
  app('GET', '/developers/api-log/{requestId}', 'DeveloperRead', showApiCall),
  ...toolRoutes(tools),
  app('GET', '/developers/e-mails', 'DeveloperRead', showEmailPreview),
  app('GET', '/developers/e-mails/preview', 'DeveloperRead', emailPreviewHtml),
  app('GET', '/developers/connect', 'DeveloperRead', showConnect),
  app('GET', '/developers/connect/arrived', 'DeveloperRead', showArrived),
  app('GET', '/developers/quickstart', 'DeveloperRead', showQuickstart),
]
