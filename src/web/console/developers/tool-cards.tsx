import { after } from '../../../base/clock.ts'
import { Button, Select } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { TRIGGERS } from '../../../sandbox/helpers/trigger.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Form, PostButton } from '../../kit/html/forms.tsx'
import { timeIn } from '../../kit/format/time.tsx'
import { useRequest } from '../../kit/screen.tsx'

export const TriggerCard = () => {
  const { texts, base } = useRequest()
  const { developers } = texts
  return (
    <Card title={developers.trigger}>
      <p>{developers.triggerBody}</p>
      <Form action={`${base}/developers/test-tools/trigger`}>
        <Select
          id="trigger-event"
          name="event"
          label={developers.triggerEvent}
          options={TRIGGERS.map((value) => ({ value, label: developers.triggers[value] }))}
        />
        <Button>{developers.triggerButton}</Button>
      </Form>
    </Card>
  )
}

/** In minutes. */
export const HOLDS = ['1', '5', '15', '60'] as const

/** Holding back webhooks, and ending that. */
export function HoldCard() {
  const request = useRequest()
  const { texts, base } = request
  const { developers } = texts
  const until = heldUntil(request)
  return (
    <Card title={developers.hold}>
      <p>{developers.holdBody}</p>
      {until && (
        <p>
          <strong>{developers.heldUntil(timeIn(request, until))}</strong>
        </p>
      )}
      <Form action={`${base}/developers/test-tools/hold`}>
        <Select
          id="hold-minutes"
          name="minutes"
          label={developers.holdFor}
          options={HOLDS.map((value) => ({ value, label: developers.holds[value] }))}
        />
        <Button>{developers.holdButton}</Button>
      </Form>
      {until && (
        <PostButton action={`${base}/developers/test-tools/end-hold`}>{developers.endHold}</PostButton>
      )}
    </Card>
  )
}

/** In real time; undefined when nothing is held back. */
function heldUntil({ app, now }: AppRequest): Date | undefined {
  const until = app.webhooksHeldUntil && after(app.webhooksHeldUntil, -app.clockOffsetMs)
  return until && until > now ? until : undefined
}

export const ResetCard = () => {
  const { texts, base } = useRequest()
  return (
    <Card title={texts.settings.clear}>
      <p>{texts.settings.clearIntro}</p>
      <a href={`${base}/settings/danger#clear`}>{texts.developers.toDanger}</a>
    </Card>
  )
}
