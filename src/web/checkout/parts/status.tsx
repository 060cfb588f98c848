import { expectedTime } from '../../../payments/timers/due.ts'
import { namedMethod } from '../../../providers/methods/catalogue.ts'
import type { AnyMethod } from '../../../providers/methods/method.ts'
import { momentText } from '../../kit/format/dates.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { LinkButton } from '../../kit/html/controls.tsx'
import { Card, Statement } from '../../kit/html/layout.tsx'
import type { CheckoutRequest } from '../request.ts'

/** Waits for the provider. The script follows the payment; without script the page refreshes. */
export function StatusPage({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { language, brand, payment } = checkout
  const { status } = language.texts
  const until = expectedTime(payment)
  if (until) return <SlowPage checkout={checkout} until={until} />
  return (
    <div class="narrow">
      <Card>
        <div class="statement">
          <span class="ring" aria-hidden="true" />
          <h1>{status.title}</h1>
          <AmountTo checkout={checkout} />
          <div role="status" id="waiting" class="muted">
            <p data-after="8" hidden>
              {status.slow}
            </p>
            <p data-after="20" hidden>
              {status.close({ merchant: brand.name })}
            </p>
          </div>
          <noscript>
            <p class="muted">{status.close({ merchant: brand.name })}</p>
          </noscript>
        </div>
      </Card>
    </div>
  )
}

interface SlowProps {
  readonly checkout: CheckoutRequest
  readonly until: Date
}

/** The money of a slow method arrives in some days: what is left to do, and until when. */
function SlowPage({ checkout, until }: SlowProps) {
  const { language, payment } = checkout
  const { slow, methods } = language.texts
  const method = methods[payment.method ?? 'CreditCard']
  return (
    <div class="narrow">
      <Card>
        <Statement icon="clock" level={1} title={slow.title}>
          <AmountTo checkout={checkout} />
          <p>
            {slow.body({ method, until: momentText(language, until) })}
            {paysElsewhere(payment.method) && ` ${slow.act}`}
          </p>
          <p class="muted">{slow.close}</p>
        </Statement>
      </Card>
    </div>
  )
}

/** The payer sends the money after the page: of a debit nothing is left to do. */
function paysElsewhere(method: AnyMethod | null): boolean {
  const { icon } = namedMethod(method) ?? {}
  return icon === 'transfer' || icon === 'voucher'
}

/** The amount, and the merchant that it is paid to. */
export function AmountTo({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { payment, language, brand } = checkout
  return (
    <>
      <p class="amount">
        <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
      </p>
      <p>
        <bdi>{brand.name}</bdi>
      </p>
    </>
  )
}

interface ChallengeProps {
  readonly checkout: CheckoutRequest
  readonly url: string
  readonly attemptId: string
}

/** The bank's challenge: in a dialog if script and screen size allow, else as a full page. */
export function ChallengePage({ checkout, url, attemptId }: ChallengeProps) {
  const { challenge } = checkout.language.texts
  return (
    <div class="narrow">
      <Card>
        <div class="statement">
          <h1>{challenge.title}</h1>
          <AmountTo checkout={checkout} />
          <p>{challenge.body}</p>
        </div>
        <LinkButton href={url} id="open-challenge">
          {challenge.open}
        </LinkButton>
        <form class="statement" method="post" action={`${checkout.base}/another-way`}>
          <input type="hidden" name="attempt" value={attemptId} />
          <button class="button quiet" type="submit">
            {challenge.another}
          </button>
        </form>
      </Card>
      <dialog class="bank" id="challenge" aria-label={challenge.title} data-url={url}>
        <div>
          <strong>{challenge.title}</strong>
          <a href={url} rel="noreferrer">
            {challenge.ownWindow}
          </a>
        </div>
      </dialog>
    </div>
  )
}
