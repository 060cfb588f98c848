import type { ApiError } from '../../../base/errors.ts'
import type { Payment } from '../../../payments/payment.ts'
import { isPayable, paymentLink } from '../../../payments/view.ts'
import { MoneyText, moneyText } from '../../kit/format/money.tsx'
import { DESCRIPTION_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time, timeIn } from '../../kit/format/time.tsx'
import { LinkButton } from '../../kit/html/controls.tsx'
import { GetButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue, Notice } from '../../kit/html/layout.tsx'
import { Qr } from '../../kit/html/qr.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { isPossible, mayAct } from '../payment/actions.ts'
import { LinkMail, type SentMails } from './mail.tsx'

interface LinkResultProps {
  readonly payment: Payment
  readonly sent: SentMails
  readonly problem?: ApiError | undefined
}

/** The link, ready to be sent, shown or opened. */
export function LinkResult({ payment, sent, problem }: LinkResultProps) {
  const request = useRequest()
  const { ctx, app, texts, base, language } = request
  const { links } = texts
  const { paymentId, amountMinor, currency, state, expirationTime } = payment
  const url = paymentLink(ctx, payment)
  const description = shortText(payment.details.description, DESCRIPTION_SHOWN)
  const isOpen = isPayable(ctx, app, payment)
  return (
    <div class="link-result" data-live-part="link">
      <div class="stack">
        <Card>
          <KeyValue
            rows={[
              [links.amount, <MoneyText language={language} minor={amountMinor} currency={currency} />],
              description ? [links.fields.description.label, <bdi>{description}</bdi>] : undefined,
              payment.referenceId
                ? [links.fields.reference.label, <bdi>{shortText(payment.referenceId, NAME_SHOWN)}</bdi>]
                : undefined,
              [
                links.state,
                <>
                  <StateBadge texts={texts} state={state} /> <Time time={payment.stateTime} />
                </>,
              ],
              expirationTime ? [links.until, <Time time={expirationTime} />] : undefined,
              [links.payment, <a href={`${base}/payments/${paymentId}`}>{String(paymentId)}</a>],
            ]}
          />
          {isOpen ? <Sending payment={payment} url={url} /> : <Notice kind="info" title={links.ended} />}
          <div class="buttons">
            {isOpen && mayAct(request, 'cancel') && isPossible(request, payment, 'cancel') && (
              <QuestionButton href={`${base}/payments/${paymentId}/cancel`} kind="danger">
                {links.withdraw}
              </QuestionButton>
            )}
            <GetButton href={`${base}/links/new`}>{links.create}</GetButton>
          </div>
        </Card>
        {isOpen && <LinkMail payment={payment} sent={sent} problem={problem} />}
      </div>
      {isOpen && (
        <Card class="link-qr">
          <Qr text={url} label={links.qr} />
          <p class="hint">{links.qrHint}</p>
        </Card>
      )}
    </div>
  )
}

function Sending({ payment, url }: { readonly payment: Payment; readonly url: string }) {
  const request = useRequest()
  const { app, texts, language } = request
  const { links } = texts
  const { amountMinor, currency, details, expirationTime } = payment
  const amount = moneyText(language, amountMinor, currency)
  const description = shortText(details.description, DESCRIPTION_SHOWN)
  const until = expirationTime && timeIn(request, expirationTime, 'second')
  const mail = [
    links.mailGreeting,
    '',
    description ? links.mailPayFor({ amount, description }) : links.mailPay({ amount }),
    url,
    '',
    ...(until ? [links.mailUntil({ until }), ''] : []),
    app.friendlyName,
  ].join('\n')
  const subject = links.mailSubject({ amount, merchant: app.friendlyName })
  const letter = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(mail)}`
  return (
    <>
      <div class="field">
        <span class="label">{links.url}</span>
        <CopyText text={url} label={links.url} />
      </div>
      <div class="buttons">
        <LinkButton href={url}>{links.open}</LinkButton>
      </div>
      <div class="field">
        <label for="mail">{links.mail}</label>
        <div class="input">
          <textarea id="mail" rows={9} readonly>
            {mail}
          </textarea>
        </div>
      </div>
      <div class="buttons">
        <LinkButton href={letter} kind="quiet">
          {links.mailProgram}
        </LinkButton>
        <button class="button quiet" type="button" data-copy={mail} hidden>
          {links.copyMail}
        </button>
      </div>
    </>
  )
}
