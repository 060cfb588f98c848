import { MoneyText } from '../../kit/format/money.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { CheckoutRequest } from '../request.ts'
import { type OrderSummary, orderOf } from '../rules/order.ts'

/** Order summary: the amount first and largest, then the order. */
export function Summary({ checkout }: { readonly checkout: CheckoutRequest }) {
  const { payment, language } = checkout
  const { texts } = language
  const order = orderOf(payment)
  const orderId = shortText(order.orderId, NAME_SHOWN)
  const facts = [orderId && texts.order.number({ orderId }), order.description].filter(Boolean)
  return (
    <section class="summary">
      <h1>
        <span class="visually-hidden">{`${texts.order.title({ merchant: checkout.brand.name })}: `}</span>
        <span class="amount">
          <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
        </span>
      </h1>
      {facts.length > 0 && (
        <p class="muted">
          {facts.map((fact, index) => (
            <>
              {index > 0 && ' · '}
              <bdi>{fact}</bdi>
            </>
          ))}
        </p>
      )}
      {(order.lines.length > 0 || order.sums.length > 0) && <Details checkout={checkout} order={order} />}
    </section>
  )
}

function Details({ checkout, order }: { readonly checkout: CheckoutRequest; readonly order: OrderSummary }) {
  const { texts } = checkout.language
  const count = order.lines.length
  return (
    <details class="order-details">
      <summary>{count > 0 ? texts.order.details({ items: count }) : texts.order.breakdown}</summary>
      {count > 0 && <Lines checkout={checkout} order={order} />}
      <Sums checkout={checkout} order={order} />
    </details>
  )
}

interface OrderProps {
  readonly checkout: CheckoutRequest
  readonly order: OrderSummary
}

export function Lines({ checkout, order }: OrderProps) {
  const { language, payment } = checkout
  return (
    <ul class="lines">
      {order.lines.map((line) => (
        <li>
          <span>
            <bdi>{line.name}</bdi>
            {line.quantity !== 1 && (
              <span class="muted small">
                {' '}
                · {language.texts.order.quantity({ count: String(line.quantity) })}
              </span>
            )}
            {line.description && (
              <span class="muted small">
                <br />
                <bdi>{line.description}</bdi>
              </span>
            )}
          </span>
          {line.totalMinor !== undefined && (
            <MoneyText language={language} minor={line.totalMinor} currency={payment.currency} />
          )}
        </li>
      ))}
    </ul>
  )
}

export function Sums({ checkout, order }: OrderProps) {
  const { language, payment } = checkout
  const { currency, amountMinor } = payment
  return (
    <dl class="sums">
      {order.sums.map(({ name, minor }) => (
        <div>
          <dt>{language.texts.order[name]}</dt>
          <dd>
            <MoneyText language={language} minor={minor} currency={currency} />
          </dd>
        </div>
      ))}
      <div class="total">
        <dt>{language.texts.order.total}</dt>
        <dd>
          <MoneyText language={language} minor={amountMinor} currency={currency} />
        </dd>
      </div>
    </dl>
  )
}
