import type { ApiError } from '../../../base/errors.ts'
import { canSend } from '../../../mail/queue.ts'
import { LINK_MESSAGE } from '../../../mail/render/payer.ts'
import { PAYER_LANGUAGES } from '../../../mail/texts/languages.ts'
import type { linkMailsOf } from '../../../payments/mail-link.ts'
import type { Payment } from '../../../payments/payment.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Field, Select } from '../../kit/html/controls.tsx'
import { Form, TextArea } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { errorsByField } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { payerEmail } from '../payment/words.ts'

/** The link by e-mail, sent by the service. */

export type SentMails = Awaited<ReturnType<typeof linkMailsOf>>

export const postedMail = ({ call: { form } }: AppRequest) => ({
  to: (form.get('to') ?? '').trim(),
  locale: PAYER_LANGUAGES.find(({ locale }) => locale === form.get('locale'))?.locale ?? 'en',
  message: (form.get('message') ?? '').trim(),
})

interface LinkMailProps {
  readonly payment: Payment
  readonly sent: SentMails
  readonly problem?: ApiError | undefined
}

export function LinkMail({ payment, sent, problem }: LinkMailProps) {
  const request = useRequest()
  const { ctx, app, base, call, texts, language } = request
  const { byMail } = texts.links
  if (!canSend(ctx))
    return (
      <Card title={byMail.title}>
        <p class="muted">{byMail.noServer}</p>
      </Card>
    )
  const errors = errorsByField(problem)
  const typed = call.isPost ? postedMail(request) : undefined
  const names = new Intl.DisplayNames(language.intl, { type: 'language' })
  return (
    <Card title={byMail.title}>
      <SentList sent={sent} />
      <Form action={`${base}/links/${payment.paymentId}/mail`} button={byMail.send} buttonKind="quiet">
        <Field
          id="to"
          name="to"
          label={byMail.to}
          {...(app.isSandbox && { hint: byMail.sandbox })}
          value={typed?.to ?? payerEmail(payment) ?? ''}
          maxLength={254}
          type="email"
          ltr
          required
          {...errors.for('to')}
        />
        <Select
          id="locale"
          name="locale"
          label={byMail.language}
          value={typed?.locale ?? app.branding.locale ?? language.locale}
          options={PAYER_LANGUAGES.map(({ locale }) => ({
            value: locale,
            label: names.of(locale) ?? locale,
          }))}
        />
        <TextArea
          id="message"
          name="message"
          label={byMail.message}
          hint={byMail.messageHint}
          value={typed?.message ?? ''}
          maxLength={LINK_MESSAGE}
          rows={3}
          {...errors.for('message')}
        />
      </Form>
    </Card>
  )
}

const SentList = ({ sent }: Pick<LinkMailProps, 'sent'>) => {
  const { byMail } = useRequest().texts.links
  if (sent.length === 0) return null
  return (
    <ul>
      {sent.map(({ status, queuedTime }) => (
        <li>
          <Time time={queuedTime} /> · {byMail.states[status]}
        </li>
      ))}
    </ul>
  )
}
