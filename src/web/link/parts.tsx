import type { ComponentChildren } from 'preact'
import { decimalText } from '../../base/money.ts'
import { typedDecimal } from '../../base/presentation/typed-amount.ts'
import { hasFixedAmount, type LinkState } from '../../links/link.ts'
import type { OpenedLink } from '../../links/pay.ts'
import type { PageAssets } from '../kit/assets/assets.ts'
import { MoneyText, moneyInText } from '../kit/format/money.tsx'
import { brandOf } from '../kit/html/brand.ts'
import { Button, Field, Hidden } from '../kit/html/controls.tsx'
import { pageHeaders } from '../kit/html/headers.ts'
import { Card, Statement } from '../kit/html/layout.tsx'
import { pageHtml } from '../kit/html/page.tsx'
import type { Language } from '../kit/i18n/languages.ts'
import type { HtmlPage } from '../kit/request/answer.ts'

/** One request for the page of a payment link. */
export interface LinkRequest extends OpenedLink {
  readonly language: Language
  readonly state: LinkState
  /** `/l/{linkKey}` */
  readonly base: string
}

interface LinkPage {
  readonly status: number
  readonly children: ComponentChildren
}

export function linkPage(assets: PageAssets, request: LinkRequest, { status, children }: LinkPage): HtmlPage {
  const { app, language, base } = request
  const brand = brandOf(app)
  const html = pageHtml({
    language,
    brand,
    title: language.texts.order.title({ merchant: brand.name }),
    page: 'link',
    style: assets.style.path,
    script: assets.script.path,
    here: base,
    children: (
      <div class="narrow">
        <Card>{children}</Card>
      </div>
    ),
  })
  return { html, status, headers: pageHeaders({ brand }) }
}

interface PartProps {
  readonly request: LinkRequest
}

interface FormProps extends PartProps {
  readonly formId: string
  readonly typed: { readonly value: string; readonly isWrong: boolean } | undefined
}

export function LinkForm({ request, formId, typed }: FormProps) {
  const { app, link, language, base } = request
  const { texts } = language
  const { currency, leastMinor } = link
  const isFixed = hasFixedAmount(link)
  const title = texts.order.title({ merchant: app.friendlyName })
  return (
    <form method="post" action={base} class="pay-form">
      <h1>
        {isFixed ? <span class="visually-hidden">{`${title}: `}</span> : title}
        {isFixed && (
          <span class="amount">
            <MoneyText language={language} minor={leastMinor} currency={currency} />
          </span>
        )}
      </h1>
      <p>
        <bdi>{link.description}</bdi>
      </p>
      <Hidden values={{ form: formId }} />
      {!isFixed && <AmountField request={request} typed={typed} />}
      <Button busyText={texts.buttons.working}>{texts.link.proceed}</Button>
      <p class="muted small">{texts.link.next}</p>
    </form>
  )
}

function AmountField({ request, typed }: Omit<FormProps, 'formId'>) {
  const { link, language } = request
  const { texts } = language
  const { currency, leastMinor, mostMinor } = link
  const bounds = {
    least: moneyInText(language, leastMinor, currency),
    most: moneyInText(language, mostMinor, currency),
  }
  const example = typedDecimal(decimalText(leastMinor, currency), language.intl)
  return (
    <Field
      id="amount"
      name="amount"
      label={texts.common.amount}
      hint={texts.link.between(bounds)}
      value={typed?.value ?? ''}
      maxLength={40}
      numeric="decimal"
      ltr
      required
      beside={<span>{currency}</span>}
      error={typed?.isWrong ? texts.link.wrongAmount({ ...bounds, example }) : undefined}
    />
  )
}

const CLOSED = {
  withdrawn: ['lock', 'withdrawn', 'withdrawnBody'],
  expired: ['clock', 'expired', 'expiredBody'],
  'used-up': ['check', 'usedUp', 'usedUpBody'],
  busy: ['clock', 'busy', 'busyBody'],
} as const

export function ClosedLink({ request, state }: PartProps & { readonly state: Exclude<LinkState, 'active'> }) {
  const { link } = request.language.texts
  const [icon, title, body] = CLOSED[state]
  const text = link[body]
  return (
    <Statement icon={icon} title={link[title]}>
      <p>{typeof text === 'string' ? text : text({ merchant: request.app.friendlyName })}</p>
    </Statement>
  )
}

/** No provider profile of the app takes the payment now. */
export function UnusableLink({ request }: PartProps) {
  const { methods } = request.language.texts
  const merchant = request.app.friendlyName
  return (
    <Statement icon="alert" tone="warn" title={methods.none({ merchant })}>
      <p>{methods.noneBody({ merchant })}</p>
    </Statement>
  )
}
