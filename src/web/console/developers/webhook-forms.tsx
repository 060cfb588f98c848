import type { ApiError } from '../../../base/errors.ts'
import { Field } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { DeliveredShare } from '../../../webhooks/commands.ts'
import { errorsByField } from '../../kit/refusal.ts'
import { AskButton, Form, PostButton, SaveButton } from '../../kit/html/forms.tsx'
import { numberText, percentText } from '../../kit/format/numbers.ts'
import { useRequest } from '../../kit/screen.tsx'

export function AddressForm({ problem }: { readonly problem?: ApiError | undefined }) {
  const request = useRequest()
  const { app, texts, base, call } = request
  const { developers } = texts
  const wrong = errorsByField(problem)
  const kept = (name: string, stored: string | null) => call.form.get(name) ?? stored ?? ''
  const mayChange = request.can('AppSettingWrite')
  return (
    <Card title={developers.address}>
      <Form action={`${base}/developers/webhooks`}>
        <Field
          id="webhook-url"
          name="url"
          type="url"
          label={developers.address}
          hint={developers.addressHint}
          value={kept('url', app.paymentWebhookUrl)}
          ltr
          {...wrong.for('paymentWebhookUrl')}
        />
        <Field
          id="webhook-scheme"
          name="scheme"
          label={developers.authScheme}
          value={kept('scheme', app.webhookAuthScheme)}
          ltr
          {...wrong.for('webhookAuthorizationHeaderScheme')}
        />
        <Field
          id="webhook-parameter"
          name="parameter"
          type="password"
          label={developers.authParameter}
          {...(app.webhookAuthParameter ? { hint: developers.authKept } : {})}
          ltr
          {...wrong.for('webhookAuthorizationHeaderParameter')}
        />
        {mayChange && (
          <div class="buttons">
            <SaveButton page={`${base}/developers/webhooks`}>{developers.saveAddress}</SaveButton>
          </div>
        )}
      </Form>
      {request.can('DeveloperWrite') && (
        <PostButton action={`${base}/developers/webhooks/test`}>{developers.sendTest}</PostButton>
      )}
    </Card>
  )
}

const VERIFY = `import { verifyWebhook } from 'tender-sdk'

const event = await verifyWebhook(rawBody, headers, process.env.WEBHOOK_SECRET)`

export function Signing() {
  const request = useRequest()
  const { texts, base } = request
  const { developers } = texts
  return (
    <Card title={developers.signing}>
      <p>{developers.signingBody}</p>
      <pre class="snippet">{VERIFY}</pre>
      {request.can('DeveloperWrite') && (
        <AskButton href={`${base}/developers/webhooks/secret`}>{developers.rotateSecret}</AskButton>
      )}
    </Card>
  )
}

/** The text says what the bar shows. */
export function Share({ share }: { readonly share: DeliveredShare }) {
  const request = useRequest()
  const { developers } = request.texts
  const { tried, acknowledged, isWhole } = share
  const part = tried === 0 ? null : acknowledged / tried
  const counts = developers.acknowledged(numberText(request, acknowledged), numberText(request, tried))
  return (
    <Card title={developers.lastDay}>
      {part === null ? (
        <p class="muted">{developers.noneTried}</p>
      ) : (
        <div class="share">
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect class="bar-bad" width={100} height={4} />
            <rect class="bar-ok" width={part * 100} height={4} />
          </svg>
          <p>
            <b>{percentText(request, part)}</b> {counts}
            {!isWhole && <span class="muted"> {developers.shareOfNewest}</span>}
          </p>
        </div>
      )}
    </Card>
  )
}
