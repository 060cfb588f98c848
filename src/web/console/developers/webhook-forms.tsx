import type { ApiError } from '../../../base/errors.ts'
import { Field } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { DeliveredShare } from '../../../webhooks/commands.ts'
import type { AppVisit } from '../frame/visit.ts'
import { errorsByField } from '../parts/form-errors.ts'
import { AskButton, Form, PostButton, SaveButton } from '../parts/forms.tsx'
import { numberText, percentText } from '../parts/numbers.ts'

export function AddressForm({
  visit,
  problem,
}: {
  readonly visit: AppVisit
  readonly problem?: ApiError | undefined
}) {
  const { app, texts, base, call } = visit
  const { developers } = texts
  const wrong = errorsByField(problem)
  const kept = (name: string, stored: string | null) => call.form.get(name) ?? stored ?? ''
  const mayChange = visit.can('AppSettingWrite')
  return (
    <Card title={developers.address}>
      <Form visit={visit} action={`${base}/developers/webhooks`}>
        <Field
          id="webhook-url"
          name="url"
          type="url"
          label={developers.address}
          hint={developers.addressHint}
          value={kept('url', app.paymentWebhookUrl)}
          ltr
          {...wrong.at('paymentWebhookUrl')}
        />
        <Field
          id="webhook-scheme"
          name="scheme"
          label={developers.authScheme}
          value={kept('scheme', app.webhookAuthScheme)}
          ltr
          {...wrong.at('webhookAuthorizationHeaderScheme')}
        />
        <Field
          id="webhook-parameter"
          name="parameter"
          type="password"
          label={developers.authParameter}
          {...(app.webhookAuthParameter ? { hint: developers.authKept } : {})}
          ltr
          {...wrong.at('webhookAuthorizationHeaderParameter')}
        />
        {mayChange && (
          <div class="buttons">
            <SaveButton visit={visit} page={`${base}/developers/webhooks`}>
              {developers.saveAddress}
            </SaveButton>
          </div>
        )}
      </Form>
      {visit.can('DeveloperWrite') && (
        <PostButton visit={visit} action={`${base}/developers/webhooks/test`}>
          {developers.sendTest}
        </PostButton>
      )}
    </Card>
  )
}

const VERIFY = `import { verifyWebhook } from 'tender-sdk'

const event = await verifyWebhook(rawBody, headers, process.env.WEBHOOK_SECRET)`

export function Signing({ visit }: { readonly visit: AppVisit }) {
  const { texts, base } = visit
  const { developers } = texts
  return (
    <Card title={developers.signing}>
      <p>{developers.signingBody}</p>
      <pre class="snippet">{VERIFY}</pre>
      {visit.can('DeveloperWrite') && (
        <AskButton href={`${base}/developers/webhooks/secret`}>{developers.rotateSecret}</AskButton>
      )}
    </Card>
  )
}

/** The text says what the bar shows. */
export function Share({ visit, share }: { readonly visit: AppVisit; readonly share: DeliveredShare }) {
  const { developers } = visit.texts
  const { tried, acknowledged, isWhole } = share
  const part = tried === 0 ? null : acknowledged / tried
  const counts = developers.acknowledged(numberText(visit, acknowledged), numberText(visit, tried))
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
            <b>{percentText(visit, part)}</b> {counts}
            {!isWhole && <span class="muted"> {developers.shareOfNewest}</span>}
          </p>
        </div>
      )}
    </Card>
  )
}
