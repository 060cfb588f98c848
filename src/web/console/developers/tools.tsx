import { MINUTE } from '../../../base/clock.ts'
import { ApiError, notFound } from '../../../base/errors.ts'
import { readId } from '../../../http/wire.ts'
import type { Job } from '../../../jobs/loop.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { FAULT_EFFECTS, FAULT_STEPS } from '../../../sandbox/bank/rules/faults.ts'
import { advanceClock, armFault, clearFaults } from '../../../sandbox/helpers/commands.ts'
import { TRIGGERS, triggerEvent } from '../../../sandbox/helpers/trigger.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { endHold, holdWebhooks } from '../../../webhooks/hold.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Form, PostButton } from '../../kit/html/forms.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { renderTab } from './tabs.tsx'
import { HOLDS, HoldCard, ResetCard, TriggerCard } from './tool-cards.tsx'
import { useRequest } from '../../kit/screen.tsx'

/** What the tools of the sandbox need. */
export interface TestTools {
  readonly sandbox: Sandbox | undefined
  readonly jobs: readonly Job[]
}

const DURATIONS = ['1h', '1d', '7d', '30d'] as const

export function createToolPages({ sandbox, jobs }: TestTools) {
  function show(request: AppRequest, problem?: ApiError): PageAnswer {
    if (!request.app.isSandbox) throw notFound('The page')
    return renderTab(request, {
      tab: 'test-tools',
      problem,
      children: sandbox ? (
        <>
          <Triggered />
          <Tools />
        </>
      ) : (
        <p>{request.texts.developers.noBank}</p>
      ),
    })
  }

  /** Runs a tool; a refusal shows the page again. A text that it returns is added to the query. */
  async function run(request: AppRequest, note: string, work: (bank: Sandbox) => Promise<unknown>) {
    if (!request.app.isSandbox || !sandbox) throw notFound('The page')
    return retryForm(
      async () => {
        const more = await work(sandbox)
        const query = typeof more === 'string' ? `${note}&${more}` : note
        return seeOther(`${request.base}/developers/test-tools?note=${query}`)
      },
      (problem) => show(request, problem),
    )
  }

  return {
    show: (request: AppRequest) => show(request),
    arm: (request: AppRequest) =>
      run(request, 'armed', (bank) => armFault(request.ctx, bank, request.app, faultOf(request))),
    clear: (request: AppRequest) =>
      run(request, 'cleared', (bank) => clearFaults(request.ctx, bank, request.app)),
    move: (request: AppRequest) =>
      run(request, 'moved', (bank) => {
        const by = request.call.form.get('by') ?? ''
        const duration = (DURATIONS as readonly string[]).includes(by) ? by : '1h'
        return advanceClock(request.ctx, bank, request.app, { advance: duration, jobs })
      }),
    trigger: (request: AppRequest) =>
      run(request, 'triggered', async (bank) => {
        const { ctx, app, call } = request
        const wanted = TRIGGERS.find((one) => one === call.form.get('event')) ?? 'created'
        const { paymentId } = await triggerEvent({ ctx, sandbox: bank, app }, wanted)
        return `payment=${paymentId}`
      }),
    hold: (request: AppRequest) =>
      run(request, 'held', () => {
        const minutes = HOLDS.find((one) => one === request.call.form.get('minutes')) ?? '1'
        return holdWebhooks(request.ctx, request.app, Number(minutes) * MINUTE)
      }),
    endHold: (request: AppRequest) => run(request, 'released', () => endHold(request.ctx, request.app)),
  }
}

function faultOf({ call }: AppRequest) {
  const step = FAULT_STEPS.find((one) => one === call.form.get('step'))
  const effect = FAULT_EFFECTS.find((one) => one === call.form.get('effect'))
  const times = Number(call.form.get('times'))
  if (!step || !effect || !Number.isInteger(times) || times < 1 || times > 1_000)
    throw new ApiError('not_possible', 'Choose a step, an effect and how many times.')
  return { step, effect, times }
}

/** The payment that the last form made. */
function Triggered() {
  const { call, texts, base } = useRequest()
  const paymentId = call.query.note === 'triggered' ? readId(call.query.payment ?? '') : undefined
  if (paymentId === undefined) return null
  return (
    <div role="status">
      <Notice kind="ok" title={texts.developers.triggered}>
        <a href={`${base}/payments/${paymentId}`}>{texts.developers.triggeredPayment(String(paymentId))}</a>
      </Notice>
    </div>
  )
}

function Tools() {
  const { texts, base } = useRequest()
  const { developers } = texts
  const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
  return (
    <>
      <p class="muted">
        {developers.toolsIntro} <a href="/docs/test-values">{developers.testCards}</a>
      </p>
      <div class="columns">
        <TriggerCard />
        <HoldCard />
        <Card title={developers.fault}>
          <Form action={`${base}/developers/test-tools/faults`}>
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
            <Button>{developers.armFault}</Button>
          </Form>
          <PostButton action={`${base}/developers/test-tools/clear-faults`}>
            {developers.clearFaults}
          </PostButton>
        </Card>
        <Card title={developers.clock}>
          <p>{developers.clockBody}</p>
          <Form action={`${base}/developers/test-tools/clock`}>
            <Select
              id="clock-by"
              name="by"
              label={developers.clockBy}
              options={DURATIONS.map((value) => ({ value, label: developers.durations[value] }))}
            />
            <Button>{developers.moveClock}</Button>
          </Form>
        </Card>
        <ResetCard />
      </div>
    </>
  )
}
