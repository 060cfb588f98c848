import type { ComponentChildren } from 'preact'
import { after, MINUTE } from '../../../base/clock.ts'
import { ApiError, notFound } from '../../../base/errors.ts'
import { readId } from '../../../http/wire.ts'
import type { Job } from '../../../jobs/loop.ts'
import { FAULT_EFFECTS, FAULT_STEPS } from '../../../sandbox/bank/rules/faults.ts'
import { advanceClock, armFault, clearFaults } from '../../../sandbox/helpers/commands.ts'
import { TRIGGERS, triggerEvent } from '../../../sandbox/helpers/trigger.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { endHold, holdWebhooks } from '../../../webhooks/hold.ts'
import { timeIn } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Form, PostButton } from '../../kit/html/forms.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderTab } from './tabs.tsx'

/** What the tools of the sandbox need. */
export interface TestTools {
  readonly sandbox: Sandbox | undefined
  readonly jobs: readonly Job[]
}

const TOOLS = '/developers/test-tools'
const DURATIONS = ['1h', '1d', '7d', '30d'] as const
/** In minutes. */
const HOLDS = ['1', '5', '15', '60'] as const

/** What a tool does. A text that it returns is added to the query. */
type Work = (request: AppRequest, bank: Sandbox) => Promise<unknown>

export function toolRoutes({ sandbox, jobs }: TestTools): ScreenRoute[] {
  function show(request: AppRequest, problem?: ApiError): PageAnswer {
    if (!request.app.isSandbox) throw notFound('The page')
    return renderTab(request, {
      tab: 'test-tools',
      problem,
      children: sandbox ? <Tools /> : <p>{request.texts.developers.noBank}</p>,
    })
  }

  /** The form of a tool, which a refusal shows again. */
  const tool = (path: string, note: string, work: Work): ScreenRoute =>
    app('POST', `${TOOLS}/${path}`, 'DeveloperWrite', (request) => {
      if (!request.app.isSandbox || !sandbox) throw notFound('The page')
      return retryForm(
        async () => {
          const more = await work(request, sandbox)
          const query = typeof more === 'string' ? `${note}&${more}` : note
          return seeOther(`${request.base}${TOOLS}?note=${query}`)
        },
        (problem) => show(request, problem),
      )
    })

  return [
    app('GET', TOOLS, 'DeveloperRead', (request) => show(request)),
    tool('faults', 'armed', (request, bank) => armFault(request.ctx, bank, request.app, faultOf(request))),
    tool('clear-faults', 'cleared', ({ ctx, app }, bank) => clearFaults(ctx, bank, app)),
    tool('clock', 'moved', ({ ctx, app, call }, bank) => {
      const advance = DURATIONS.find((one) => one === call.form.get('by')) ?? '1h'
      return advanceClock(ctx, bank, app, { advance, jobs })
    }),
    tool('trigger', 'triggered', async ({ ctx, app, call }, bank) => {
      const wanted = TRIGGERS.find((one) => one === call.form.get('event')) ?? 'created'
      const { paymentId } = await triggerEvent({ ctx, sandbox: bank, app }, wanted)
      return `payment=${paymentId}`
    }),
    tool('hold', 'held', ({ ctx, app, call }) => {
      const minutes = HOLDS.find((one) => one === call.form.get('minutes')) ?? '1'
      return holdWebhooks(ctx, app, Number(minutes) * MINUTE)
    }),
    tool('end-hold', 'released', ({ ctx, app }) => endHold(ctx, app)),
  ]
}

function faultOf({ call, texts }: AppRequest) {
  const step = FAULT_STEPS.find((one) => one === call.form.get('step'))
  const effect = FAULT_EFFECTS.find((one) => one === call.form.get('effect'))
  const times = Number(call.form.get('times'))
  if (!step || !effect || !Number.isInteger(times) || times < 1 || times > 1_000)
    throw new ApiError('not_possible', texts.tools.faultWrong, { isTranslated: true })
  return { step, effect, times }
}

const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

function Tools() {
  const { texts, base } = useRequest()
  const { developers, settings } = texts
  return (
    <>
      <Triggered />
      <p class="muted">
        {developers.toolsIntro} <a href="/docs/test-values">{developers.testCards}</a>
      </p>
      <div class="columns">
        <Card title={developers.trigger}>
          <p>{developers.triggerBody}</p>
          <ToolForm path="trigger" button={developers.triggerButton}>
            <Select
              id="trigger-event"
              name="event"
              label={developers.triggerEvent}
              options={TRIGGERS.map((value) => ({ value, label: developers.triggers[value] }))}
            />
          </ToolForm>
        </Card>
        <HoldCard />
        <Card title={developers.fault}>
          <ToolForm path="faults" button={developers.armFault}>
            <Select
              id="fault-step"
              name="step"
              label={developers.faultStep}
              options={optionsOf(FAULT_STEPS)}
            />
            <Select
              id="fault-effect"
              name="effect"
              label={developers.faultEffect}
              options={optionsOf(FAULT_EFFECTS)}
            />
            <Field id="fault-times" name="times" label={developers.faultTimes} value="1" numeric />
          </ToolForm>
          <PostButton action={`${base}${TOOLS}/clear-faults`}>{developers.clearFaults}</PostButton>
        </Card>
        <Card title={developers.clock}>
          <p>{developers.clockBody}</p>
          <ToolForm path="clock" button={developers.moveClock}>
            <Select
              id="clock-by"
              name="by"
              label={developers.clockBy}
              options={DURATIONS.map((value) => ({ value, label: developers.durations[value] }))}
            />
          </ToolForm>
        </Card>
        <Card title={settings.clear}>
          <p>{settings.clearIntro}</p>
          <a href={`${base}/settings/danger#clear`}>{developers.toDanger}</a>
        </Card>
      </div>
    </>
  )
}

/** The payment that the last form made. */
function Triggered() {
  const { call, texts, base } = useRequest()
  const paymentId = call.query.note === 'triggered' ? readId(call.query.payment ?? '') : undefined
  if (paymentId === undefined) return null
  return (
    <div role="status">
      <Notice kind="ok" title={texts.developers.triggered}>
        <a href={`${base}/payments/${paymentId}`}>
          {texts.developers.triggeredPayment({ id: String(paymentId) })}
        </a>
      </Notice>
    </div>
  )
}

interface ToolFormProps {
  readonly path: string
  readonly button: string
  readonly children: ComponentChildren
}

const ToolForm = ({ path, button, children }: ToolFormProps) => (
  <Form action={`${useRequest().base}${TOOLS}/${path}`}>
    {children}
    <Button>{button}</Button>
  </Form>
)

/** Holding back webhooks, and ending that. */
function HoldCard() {
  const request = useRequest()
  const { developers } = request.texts
  const until = heldUntil(request)
  return (
    <Card title={developers.hold}>
      <p>{developers.holdBody}</p>
      {until && (
        <p>
          <strong>{developers.heldUntil({ time: timeIn(request, until) })}</strong>
        </p>
      )}
      <ToolForm path="hold" button={developers.holdButton}>
        <Select
          id="hold-minutes"
          name="minutes"
          label={developers.holdFor}
          options={HOLDS.map((value) => ({ value, label: developers.holds[value] }))}
        />
      </ToolForm>
      {until && <PostButton action={`${request.base}${TOOLS}/end-hold`}>{developers.endHold}</PostButton>}
    </Card>
  )
}

/** In real time; undefined when nothing is held back. */
function heldUntil({ app, now }: AppRequest): Date | undefined {
  const until = app.webhooksHeldUntil && after(app.webhooksHeldUntil, -app.clockOffsetMs)
  return until && until > now ? until : undefined
}
