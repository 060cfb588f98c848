import type { AppRequest } from '../../kit/frame/request.ts'
import { Card } from '../../kit/html/layout.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { renderTab } from './tabs.tsx'

/** Commands with the ids of this app filled in. */
export function showQuickstart(request: AppRequest): PageAnswer {
  const { ctx, app, texts } = request
  const { developers } = texts
  const api = `${ctx.config.publicUrl}/api/apps/${app.appId}`
  const auth = '-H "Authorization: Bearer $TENDER_KEY"'
  const body = {
    referenceId: 'order-1',
    amount: 25,
    currency: app.profiles[0]?.currency ?? 'USD',
    returnUrl: 'https://example.com/thank-you',
    autoCapture: true,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: 'customer-1' } },
  }
  const create =
    `curl ${api}/payments/hosted-page ${auth} \\\n  -H 'Content-Type: application/json' \\\n` +
    `  -d '${JSON.stringify(body)}'`
  const { publicUrl } = ctx.config
  const listen =
    `TENDER_URL=${publicUrl} TENDER_APP_ID=${app.appId} TENDER_API_KEY=$TENDER_KEY \\\n` +
    '  tender listen --forward-to localhost:3000/hooks'
  const snippets = [
    [developers.quickCreate, create, 'curl'],
    [developers.quickRead, `curl ${api}/payments/referenceId:order-1 ${auth}`, 'curl'],
    [developers.quickRefund, `curl -X POST ${api}/payments/10001/refund ${auth}`, 'curl'],
    [developers.quickListen, listen, 'tender'],
  ] as const
  return renderTab(request, {
    tab: 'quickstart',
    children: (
      <>
        <p>{developers.quickIntro}</p>
        <p class="muted">{developers.quickKey}</p>
        <p>
          {developers.appId}: <CopyText text={app.appId} label={developers.appId} /> ·{' '}
          <a href="/docs/guides/samples">{developers.quickSamples}</a> ·{' '}
          <a href="/docs">{developers.reference}</a> · <a href="/openapi.json">OpenAPI</a> ·{' '}
          {developers.quickModels}: <a href="/llms.txt">llms.txt</a>,{' '}
          <a href="/llms-full.txt">llms-full.txt</a>
        </p>
        {snippets.map(([title, text, command]) => (
          <Card title={title}>
            <pre class="snippet">{text}</pre>
            <CopyText text={text} label={title}>
              {command}
            </CopyText>
          </Card>
        ))}
      </>
    ),
  })
}
