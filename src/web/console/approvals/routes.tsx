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

const commonColumns = ({ base, texts: { approvals } }: AppRequest) => [
  {
    label: approvals.payment,
    cell: ({ paymentId }: Approval) => <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>,
  },
  {
    label: approvals.amount,
    cell: ({ amountMinor, currency }: Approval) => <Money minor={amountMinor} currency={currency} />,
  },
  { label: approvals.reason, cell: ({ reason }: Approval) => <bdi>{reason}</bdi> },
  {
    label: approvals.askedBy,
    cell: ({ askedName, askedTime }: Approval) => (
      <>
        <bdi>{askedName}</bdi> <Time time={askedTime} />
      </>
    ),
  },
]

function Approvals({ of }: { readonly of: readonly Approval[] }) {
  const request = useRequest()
  const { approvals } = request.texts
  if (of.length === 0) return <p>{approvals.none}</p>
  const isOwn = ({ askedBy }: Approval) => askedBy === request.person.personId
  return (
    <List
      caption={approvals.title}
      items={of}
      columns={[
        ...commonColumns(request),
        {
          label: request.texts.frame.more,
          isQuiet: true,
          cell: (one) => {
            const url = `${request.base}/approvals/${one.approvalId}`
            return (
              <div class="buttons">
                <QuestionButton href={`${url}/approve`} disabled={isOwn(one) ? approvals.own : undefined}>
                  {approvals.approve}
                </QuestionButton>
                <QuestionButton href={`${url}/refuse`}>
                  {isOwn(one) ? approvals.takeBack : approvals.refuse}
                </QuestionButton>
              </div>
            )
          },
        },
      ]}
    />
  )
}

function Decided({ of }: { readonly of: readonly Approval[] }) {
  const request = useRequest()
  const { approvals } = request.texts
  if (of.length === 0) return null
  return (
    <>
      <h2>{approvals.decided}</h2>
      <List
        caption={approvals.decided}
        items={of}
        columns={[
          ...commonColumns(request),
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
