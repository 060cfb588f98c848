import { DESCRIPTION_SHOWN, shortText } from '../../web/kit/format/short-text.ts'
import { Button, Field } from '../../web/kit/html/controls.tsx'
import { KeyValue, Notice } from '../../web/kit/html/layout.tsx'
import { type PageAnswer, seeOther } from '../../web/kit/request/answer.ts'
import type { PageCall } from '../../web/kit/request/call.ts'
import { type ChallengeOutcome, type PageView, passChallenge } from '../helpers/browser.ts'
import { readFields } from './form.ts'
import { closedPage, readPage, sandboxPage, shownAmount, silentPage } from './frame.tsx'
import type { SandboxPageContext } from './page-context.ts'

/** Every other code of six digits passes. */
const WRONG_CODE = '000000'

export async function showChallenge(
  context: SandboxPageContext,
  call: PageCall,
  problem?: string,
): Promise<PageAnswer> {
  const session = call.params.session ?? ''
  const result = await readPage(context, session)
  if (result.kind !== 'ok') return closedPage(context, undefined)
  const { page } = result
  if (page.kind !== '3ds') return closedPage(context, page)
  return sandboxPage(context, {
    title: 'Confirm this payment',
    name: 'Sandbox Bank',
    framable: true,
    isFramed: call.isFramed,
    children: <Challenge page={page} session={session} problem={problem} />,
  })
}

interface ChallengeProps {
  readonly page: PageView
  readonly session: string
  readonly problem: string | undefined
}

function Challenge({ page, session, problem }: ChallengeProps) {
  const { card } = page
  return (
    <>
      <h1>Confirm this payment</h1>
      <KeyValue
        rows={[
          ['Amount', <span class="money">{shownAmount(page)}</span>],
          card ? ['Card', <bdi>{`${card.brand} •••• ${card.last4}`}</bdi>] : undefined,
          page.description ? ['For', <bdi>{shortText(page.description, DESCRIPTION_SHOWN)}</bdi>] : undefined,
        ]}
      />
      <form method="post" action={`/sandbox/3ds/${session}`} class="pay-form" data-pay>
        <Field
          id="code"
          name="code"
          label="Code from your bank"
          hint={`Any six digits pass; ${WRONG_CODE} fails.`}
          autoComplete="one-time-code"
          numeric
          ltr
          maxLength={6}
          value="123456"
          {...(problem ? { error: problem } : {})}
        />
        <Button name="outcome" value="code">
          Confirm
        </Button>
        <div class="choices">
          <Button kind="quiet" name="outcome" value="fail">
            Fail authentication
          </Button>
          <Button kind="quiet" name="outcome" value="cancel">
            Cancel
          </Button>
        </div>
        <Button kind="quiet" name="outcome" value="silence">
          Never answer
        </Button>
      </form>
    </>
  )
}

const OUTCOMES: Readonly<Record<string, ChallengeOutcome>> = { code: 'pass', fail: 'fail', cancel: 'cancel' }

export async function answerChallenge(context: SandboxPageContext, call: PageCall): Promise<PageAnswer> {
  const { ctx, sandbox } = context
  const session = call.params.session ?? ''
  const fields = readFields(call.body)
  const result = await readPage(context, session)
  if (result.kind !== 'ok') return closedPage(context, undefined)
  const { page } = result
  const chosen = fields.get('outcome') ?? 'code'
  if (chosen === 'silence') return unanswered(context)
  const code = fields.get('code') ?? ''
  if (chosen === 'code' && !/^\d{6}$/.test(code)) return showChallenge(context, call, 'Enter six digits.')
  const outcome = chosen === 'code' && code === WRONG_CODE ? 'fail' : (OUTCOMES[chosen] ?? 'cancel')
  const url = `${ctx.config.publicUrl}/sandbox/3ds/${session}`
  const shown = await passChallenge(sandbox.browser(ctx.http), url, outcome)
  if (shown.kind === 'refused') return closedPage(context, page)
  if (shown.kind === 'lost') return silentPage(context, page)
  return shown.next ? seeOther(shown.next) : closedPage(context, page)
}

/** The customer does not answer: nothing happens until the challenge expires. */
function unanswered(context: SandboxPageContext): PageAnswer {
  return sandboxPage(context, {
    title: 'Left unanswered',
    framable: true,
    children: (
      <Notice kind="info" title="Left unanswered">
        <p>The bank waits until the challenge runs out. Open the checkout again to come back to it.</p>
      </Notice>
    ),
  })
}
