import { LIMITS } from '../../../base/limits.ts'
import { needsOtp } from '../../../merchants/apps/rules.ts'
import {
  approveRefund,
  getApproval,
  listApprovals,
  refuseRefund,
} from '../../../payments/approvals/commands.ts'
import { Money, moneyInText } from '../../kit/format/money.tsx'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { CodeField } from '../payment/question.tsx'

/** Refunds that wait for a second person. */
export const approvalScreens = (): ScreenRoute[] => [
  app('GET', '/approvals', 'PaymentRefund', show),
  ...decision('approve'),
  ...decision('refuse'),
]

type Approval = Awaited<ReturnType<typeof getApproval>>

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, texts } = request
  const all = await listApprovals(ctx, app)
  const isOpen = ({ state }: Approval) => state === 'open'
  return renderScreen(request, {
    name: 'approvals',
    title: texts.approvals.title,
    children: (
      <>
        <p class="muted">{texts.approvals.intro}</p>
        <Approvals of={all.filter(isOpen)} />
        <Decided of={all.filter((one) => !isOpen(one))} />
      </>
    ),
  })
}

function Approvals({ of }: { readonly of: readonly Approval[] }) {
  const { approvals } = useRequest().texts
  if (of.length === 0) return <p>{approvals.none}</p>
  return (
    <>
      {of.map((one) => (
        <OpenApproval one={one} />
      ))}
    </>
  )
}

function OpenApproval({ one }: { readonly one: Approval }) {
  const { base, person, texts } = useRequest()
  const { approvals } = texts
  const { approvalId, paymentId, amountMinor, currency, reason, askedBy, askedName, askedTime } = one
  const isOwn = askedBy === person.personId
  const url = `${base}/approvals/${approvalId}`
  return (
    <Card>
      <h2>
        <Money minor={amountMinor} currency={currency} />
        {' · '}
        <a href={`${base}/payments/${paymentId}`}>{`${approvals.payment} ${paymentId}`}</a>
      </h2>
      <KeyValue
        rows={[
          [approvals.reason, <bdi>{reason}</bdi>],
          [approvals.askedBy, <bdi>{askedName}</bdi>],
          [approvals.askedTime, <Time time={askedTime} />],
        ]}
      />
      <div class="buttons">
        <QuestionButton href={`${url}/approve`} disabled={isOwn ? approvals.own : undefined}>
          {approvals.approve}
        </QuestionButton>
        <QuestionButton href={`${url}/refuse`}>
          {isOwn ? approvals.takeBack : approvals.refuse}
        </QuestionButton>
      </div>
    </Card>
  )
}

function Decided({ of }: { readonly of: readonly Approval[] }) {
  const { base, texts } = useRequest()
  const { approvals } = texts
  if (of.length === 0) return null
  return (
    <>
      <h2>{approvals.decided}</h2>
      <List
        caption={approvals.decided}
        isStacked
        items={of}
        columns={[
          {
            label: approvals.payment,
            cell: ({ paymentId }) => <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>,
          },
          {
            label: approvals.amount,
            cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
          },
          { label: approvals.reason, cell: ({ reason }) => <bdi>{reason}</bdi> },
          {
            label: approvals.askedBy,
            cell: ({ askedName, askedTime }) => (
              <>
                <bdi>{askedName}</bdi> <Time time={askedTime} />
              </>
            ),
          },
          {
            label: approvals.decision,
            cell: ({ state, decidedName, decidedTime }) => (
              <>
                {approvals.states[state]}, <bdi>{decidedName}</bdi>{' '}
                {decidedTime && <Time time={decidedTime} />}
              </>
            ),
          },
        ]}
      />
    </>
  )
}

/** Both answers to a wish. The command refuses the yes of the person who asked. */
function decision(verdict: 'approve' | 'refuse'): ScreenRoute[] {
  const isYes = verdict === 'approve'
  return question(
    `/approvals/{approvalId}/${verdict}`,
    isYes ? proof('PaymentRefund') : { permission: 'PaymentRefund' },
    {
      kind: isYes ? 'primary' : 'danger',
      back: '/approvals',
      subject: ({ ctx, app, call }: AppRequest) => getApproval(ctx, app, call.params.approvalId ?? ''),
      isPossible: ({ state }) => state === 'open' || (isYes && state === 'approved'),
      texts: ({ approvals }, one, request) => {
        const amount = moneyInText(request.language, one.amountMinor, one.currency)
        const values = { amount, id: one.paymentId, name: one.askedName }
        return {
          title: approvals[isYes ? 'approveTitle' : 'refuseTitle'](values),
          body: approvals[isYes ? 'approveBody' : 'refuseBody'](values),
          button: approvals[verdict],
        }
      },
      fields: ({ ctx, app }, _one, errors) =>
        isYes && needsOtp(app, ctx.actor, 'refund') ? <CodeField errors={errors} /> : null,
      run: async ({ ctx, app, call }, { approvalId }) => {
        if (!isYes) {
          await refuseRefund(ctx, app, approvalId)
          return 'refused'
        }
        const otpCode = call.form.get('otpCode')?.trim() || undefined
        await approveRefund(ctx, app, approvalId, { waitMs: LIMITS.actionWaitMs, otpCode })
        return 'approved'
      },
    },
  )
}
