import type { ComponentChildren } from 'preact'
import { Hidden } from '../../kit/html/controls.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { Icon } from '../../kit/html/icons.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { PROTECT } from '../profile/protect.tsx'

/** What has been tried in a sandbox app at any time. */
export interface SetupProgress {
  readonly hasPayment: boolean
  readonly hasWebhook: boolean
  readonly hasProvider: boolean
  readonly hasRefund: boolean
  readonly hasDecline: boolean
}

export const isComplete = (progress: SetupProgress): boolean => Object.values(progress).every(Boolean)

const LISTEN = 'tender listen --forward-to localhost:3000/hooks'

/** The way from an empty sandbox app to the live one. Shown instead of figures while there are none. */
export function SetupSteps({ progress }: { readonly progress: SetupProgress }) {
  const { texts, base, person, formId, can } = useRequest()
  const { overview } = texts
  const { steps } = overview
  const { hasPayment, hasWebhook, hasProvider, hasRefund, hasDecline } = progress
  return (
    <Card title={overview.setup}>
      {!person.hasSecondFactor && (
        <p>
          {overview.protect} <a href={PROTECT}>{overview.protectLink}</a>
        </p>
      )}
      <p class="muted">{overview.setupIntro}</p>
      <ol class="setup" data-poll-done={isComplete(progress) ? 'yes' : undefined}>
        <Step isDone={hasPayment} title={steps.pay}>
          <p>{steps.payBody}</p>
          {can('PaymentWrite') && (
            <form method="post" action={`${base}/overview/test-payment`} target="_blank" rel="noopener">
              <Hidden values={{ form: formId }} />
              <button class="button primary" type="submit">
                {steps.payButton}
              </button>
            </form>
          )}
        </Step>
        <Step isDone={hasWebhook} title={steps.webhook}>
          <p>{steps.webhookBody}</p>
          {can('AppSettingWrite') && (
            <GetButton href={`${base}/developers/webhooks`}>{steps.webhookButton}</GetButton>
          )}
          <p class="muted">
            {steps.webhookListen} <CopyText text={LISTEN} label={steps.webhook} />
          </p>
        </Step>
        <Step isDone={hasProvider} title={steps.provider}>
          <p>{steps.providerBody}</p>
          {can('PaymentProfileWrite') && (
            <GetButton href={`${base}/providers/add`}>{steps.providerButton}</GetButton>
          )}
        </Step>
        <Step isDone={hasWebhook && hasRefund && hasDecline} title={steps.live}>
          <p>{steps.liveBody}</p>
          <ul class="checklist">
            <Check isDone={hasWebhook}>{steps.liveWebhook}</Check>
            <li>
              <Icon name="info" /> {steps.liveSignature}{' '}
              {can('DeveloperRead') && <a href={`${base}/developers/webhooks`}>{steps.liveSignatureLink}</a>}
            </li>
            <Check isDone={hasRefund}>{steps.liveRefund}</Check>
            <Check isDone={hasDecline}>{steps.liveDecline}</Check>
          </ul>
        </Step>
      </ol>
    </Card>
  )
}

interface StepProps {
  readonly isDone: boolean
  readonly title: string
  readonly children: ComponentChildren
}

function Step({ isDone, title, children }: StepProps) {
  const { overview } = useRequest().texts
  return (
    <li class={isDone ? 'done' : undefined}>
      <h3>
        {isDone && <Icon name="check" />}
        {title}{' '}
        <small class={`pill ${isDone ? 'green' : ''}`}>{isDone ? overview.done : overview.open}</small>
      </h3>
      {children}
    </li>
  )
}

function Check({ isDone, children }: { isDone: boolean; children: ComponentChildren }) {
  const { overview } = useRequest().texts
  return (
    <li>
      <Icon name={isDone ? 'check' : 'minus'} /> {children}{' '}
      <small class="muted">{isDone ? overview.done : overview.open}</small>
    </li>
  )
}
