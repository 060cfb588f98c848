import { canSend } from '../../../mail/queue.ts'
import { requestPasswordReset } from '../../../people/accounts/forgotten.ts'
import type { OpenRequest } from '../../kit/frame/request.ts'
import { renderPlain } from '../../kit/frame/shell.tsx'
import { Button } from '../../kit/html/controls.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import type { Flash } from '../../kit/screen.tsx'
import { clientOf } from './client.ts'
import { EmailField } from './fields.tsx'

/** A form that sends a link where there is a mail server, otherwise whom to ask. */
export function showForgot(request: OpenRequest, waitSeconds = 0): PageAnswer {
  const { ctx, call, texts } = request
  const { account } = texts
  const isSent = call.query.note === 'sent' && waitSeconds === 0
  const wait: Flash = { kind: 'bad', text: account.wait({ seconds: String(waitSeconds) }) }
  const sent: Flash | undefined = isSent ? { kind: 'info', text: account.resetSent } : undefined
  return renderPlain(request, {
    name: 'forgot',
    title: account.forgotTitle,
    status: waitSeconds > 0 ? 429 : 200,
    flash: waitSeconds > 0 ? wait : sent,
    children: (
      <>
        {canSend(ctx) && !isSent && (
          <form method="post" action="/console/forgot" class="stack card">
            <p>{account.forgotIntro}</p>
            <EmailField value={call.form.get('email') ?? ''} />
            <Button>{account.sendReset}</Button>
          </form>
        )}
        <p>{account.forgotBody}</p>
        <a href="/console/sign-in">{account.back}</a>
      </>
    ),
  })
}

/** One answer for every address, so that the page does not tell who has an account. */
export async function postForgot(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  if (!canSend(ctx)) return showForgot(request)
  const seconds = await requestPasswordReset(ctx, call.form.get('email') ?? '', clientOf(call))
  return seconds > 0 ? showForgot(request, seconds) : seeOther('/console/forgot?note=sent')
}
