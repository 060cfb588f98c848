import { randomText } from '../../../base/ids.ts'
import { canSend } from '../../../mail/queue.ts'
import { senderName } from '../../../mail/render/compose.ts'
import { mailTransport } from '../../../mail/sending/transport.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { PostButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { usePersonRequest } from '../../kit/screen.tsx'

export const TEST_MAIL = '/system/test-mail'

/** Whether e-mails are set up, and a button that tries it. */
export function MailCard() {
  const { ctx, person, texts } = usePersonRequest()
  const { system } = texts
  if (!canSend(ctx))
    return (
      <Card title={system.mail}>
        <p>{system.noMail}</p>
      </Card>
    )
  return (
    <Card title={system.mail}>
      <p>{system.mailFrom({ address: ctx.config.mail?.from.address ?? '' })}</p>
      <PostButton action={`/console${TEST_MAIL}`}>{system.testMail({ address: person.email })}</PostButton>
    </Card>
  )
}

/** Sends a message to the operator at once, without the queue, so that the page has the answer. */
export async function sendTestMail(request: PersonRequest): Promise<PageAnswer> {
  const { ctx, person, texts } = request
  const { mail } = ctx.config
  if (!mail) return seeOther('/console/system')
  const { testSubject, testText } = texts.system
  const result = await mailTransport(ctx).send({
    messageId: `<${randomText(ctx.random, 24)}@${mail.from.address.split('@')[1]}>`,
    from: { name: senderName(ctx), address: mail.from.address },
    to: person.email,
    subject: testSubject,
    text: testText,
    html: `<p>${testText}</p>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  return seeOther(`/console/system?note=${result.kind === 'accepted' ? 'mail-sent' : 'mail-refused'}`)
}
