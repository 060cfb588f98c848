import { after } from '../../../base/clock.ts'
import { Button, Select } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { TRIGGERS } from '../../../sandbox/helpers/trigger.ts'
import type { AppVisit } from '../frame/visit.ts'
import { Form, PostButton } from '../parts/forms.tsx'
import { timeIn } from '../parts/time.tsx'

interface CardProps {
  readonly visit: AppVisit
}

export const TriggerCard = ({ visit }: CardProps) => {
  const { texts, base } = visit
  const { developers } = texts
  return (
    <Card title={developers.trigger}>
      <p>{developers.triggerBody}</p>
      <Form visit={visit} action={`${base}/developers/test-tools/trigger`}>
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
export function HoldCard({ visit }: CardProps) {
  const { texts, base } = visit
  const { developers } = texts
  const until = heldUntil(visit)
  return (
    <Card title={developers.hold}>
      <p>{developers.holdBody}</p>
      {until && (
        <p>
          <strong>{developers.heldUntil(timeIn(visit, until))}</strong>
        </p>
      )}
      <Form visit={visit} action={`${base}/developers/test-tools/hold`}>
        <Select
          id="hold-minutes"
          name="minutes"
          label={developers.holdFor}
          options={HOLDS.map((value) => ({ value, label: developers.holds[value] }))}
        />
        <Button>{developers.holdButton}</Button>
      </Form>
      {until && (
        <PostButton visit={visit} action={`${base}/developers/test-tools/end-hold`}>
          {developers.endHold}
        </PostButton>
      )}
    </Card>
  )
}

/** In real time; undefined when nothing is held back. */
function heldUntil({ app, now }: AppVisit): Date | undefined {
  const until = app.webhooksHeldUntil && after(app.webhooksHeldUntil, -app.clockOffsetMs)
  return until && until > now ? until : undefined
}

export const ResetCard = ({ visit }: CardProps) => {
  const { texts, base } = visit
  return (
    <Card title={texts.settings.clear}>
      <p>{texts.settings.clearIntro}</p>
      <a href={`${base}/settings/danger#clear`}>{texts.developers.toDanger}</a>
    </Card>
  )
}
