import { MoneyText } from '../../kit/format/money.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { type OrderSummary, orderOf } from '../rules/order.ts'
import type { CheckoutVisit } from '../visit.ts'

/** Order summary: the amount first and largest, then the order. */
export function Summary({ visit }: { readonly visit: CheckoutVisit }) {
  const { payment, language } = visit
  const { texts } = language
  const order = orderOf(payment)
  const orderId = shortText(order.orderId, NAME_SHOWN)
  const facts = [orderId && texts.order.number(orderId), order.description].filter(Boolean)
  return (
    <section class="summary">
      <h1>
        <span class="visually-hidden">{`${texts.order.title(visit.brand.name)}: `}</span>
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
      {(order.lines.length > 0 || order.sums.length > 0) && <Details visit={visit} order={order} />}
    </section>
  )
}

function Details({ visit, order }: { readonly visit: CheckoutVisit; readonly order: OrderSummary }) {
  const { texts } = visit.language
  const count = order.lines.length
  return (
    <details class="order-details">
      <summary>{count > 0 ? texts.order.details(count) : texts.order.breakdown}</summary>
      {count > 0 && <Lines visit={visit} order={order} />}
      <Sums visit={visit} order={order} />
    </details>
  )
}

interface OrderProps {
  readonly visit: CheckoutVisit
  readonly order: OrderSummary
}

export function Lines({ visit, order }: OrderProps) {
  const { language, payment } = visit
  return (
    <ul class="lines">
      {order.lines.map((line) => (
        <li>
          <span>
            <bdi>{line.name}</bdi>
            {line.quantity !== 1 && (
              <span class="muted small"> · {language.texts.order.quantity(String(line.quantity))}</span>
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

export function Sums({ visit, order }: OrderProps) {
  const { language, payment } = visit
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
