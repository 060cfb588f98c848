import { ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import {
  cancelPayment,
  capturePayment,
  getPayment,
  recheckPayment,
  refundPayment,
} from '../../../payments/actions.ts'
import type { Payment } from '../../../payments/payment.ts'
import { allowedActions } from '../../../payments/view.ts'
import { REFUND_REASONS } from '../../../providers/port.ts'
import { Money, moneyInText } from '../../kit/format/money.tsx'
import { shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Button } from '../../kit/html/controls.tsx'
import { Form, GetButton, Question } from '../../kit/html/forms.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { List, type ListColumn, withQuery } from '../../kit/list.tsx'
import { ifFound } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { allowanceOf, needsCode, refundableMinor, requestKeyOf } from '../payment/actions.ts'
import { ReasonField } from '../payment/question.tsx'
import { addressQuery, listPath, postedAddress, readAddress } from './address.ts'

/**
 * Actions on several payments: the list posts the selection, a page asks, its form acts on each payment by
 * the ordinary command, and a page shows the result of each. The ids are in the addresses, so each page can
 * be reloaded.
 */

const COMMANDS = {
  capture: capturePayment,
  cancel: cancelPayment,
  refund: refundPayment,
  recheck: recheckPayment,
} as const
type BulkAction = keyof typeof COMMANDS
const isDanger = (action: BulkAction): boolean => action === 'cancel' || action === 'refund'

/** What each asks of the role. */
const permissionOf = (action: BulkAction) => (action === 'refund' ? 'PaymentRefund' : 'PaymentWrite')
const BULK_ACTIONS = Object.keys(COMMANDS) as BulkAction[]

const MAX_SELECTED = 100
/** Payments that are acted on at once: each may wait for its provider. */
const AT_ONCE = 8

const LONG = { formBytes: LIMITS.longFormBytes }

export const bulkScreens = (): ScreenRoute[] => [
  // It changes nothing: it leads to the page that asks.
  app('POST', '/payments/bulk', 'PaymentRead', select, LONG),
  ...(['{action}', 'refund'] as const).flatMap((name) => {
    const path = `/payments/bulk/${name}`
    const permission = permissionOf(name === 'refund' ? name : 'capture')
    return [
      app('GET', path, permission, ask),
      app('POST', path, permission, act, LONG),
      app('GET', `${path}/result`, permission, showResult),
    ]
  }),
]

/** Refunds have a path of their own, because they ask for another permission. */
const askedAction = ({ call: { params } }: AppRequest): BulkAction =>
  params.action === undefined ? 'refund' : actionOf(params.action)

/** Shown while a payment is selected; always where the browser cannot tell. */
export function BulkBar() {
  const { texts, base, call, can } = useRequest()
  const { payments } = texts
  const query = addressQuery(readAddress(call.query))
  return (
    <Form action={`${base}/payments/bulk`} hidden={{ query }} class="bulk card" id="bulk">
      <label class="check" hidden data-select-all="payment">
        <input type="checkbox" autocomplete="off" />
        <span>{payments.selectAll}</span>
      </label>
      <p data-selected-text={payments.selected} role="status">
        {payments.withSelected}
      </p>
      <div class="buttons">
        {BULK_ACTIONS.filter((action) => can(permissionOf(action))).map((action) => (
          <Button kind={isDanger(action) ? 'danger' : 'quiet'} name="do" value={action}>
            {payments.bulk[action].button}
          </Button>
        ))}
        <Button kind="quiet" name="do" value="export" data={{ 'data-download': 'yes' }}>
          {payments.exportSelected}
        </Button>
      </div>
    </Form>
  )
}

function actionOf(text: string | undefined): BulkAction {
  const action = BULK_ACTIONS.find((name) => name === text)
  if (!action) throw notFound('The action')
  return action
}

export const readIds = (text = ''): number[] => [
  ...new Set(text.split('.', MAX_SELECTED).flatMap((id) => readId(id) ?? [])),
]

/** Handles the selection in the list. Nothing is changed yet. An export has nothing to ask. */
function select({ call, base }: AppRequest): PageAnswer {
  const chosen = call.form.get('do')
  const path = chosen === 'export' ? 'export' : `bulk/${actionOf(chosen)}`
  const ids = call.fieldsOf('payment')
  const note = ids.length === 0 ? 'none' : ids.length > MAX_SELECTED ? 'many' : undefined
  if (note) return seeOther(withQuery(listPath(base, postedAddress(call)), { note }))
  return seeOther(`${base}/payments/${path}?ids=${readIds(ids.join('.')).join('.')}`)
}

/** A payment that was selected; undefined if there is none. */
interface Selected {
  readonly id: number
  readonly payment: Payment | undefined
}

const find = async ({ ctx, app }: AppRequest, id: number): Promise<Selected> => ({
  id,
  payment: await ifFound(getPayment(ctx, app, id)),
})

const columnsOf = ({ texts, base }: AppRequest): ListColumn<Selected>[] => {
  const { column } = texts.payments
  return [
    {
      label: column.amount,
      cell: ({ id, payment }) =>
        payment ? (
          <a href={`${base}/payments/${id}`}>
            <Money minor={payment.amountMinor} currency={payment.currency} />
          </a>
        ) : (
          id
        ),
      end: true,
    },
    {
      label: column.reference,
      cell: ({ payment }) => payment && <bdi>{shortText(payment.referenceId, 40)}</bdi>,
    },
    {
      label: column.now,
      cell: ({ payment }) => payment && <StateBadge texts={texts} state={payment.state} />,
    },
  ]
}

const crumbsOf = ({ texts, base }: AppRequest) => [{ label: texts.payments.title, href: `${base}/payments` }]

/** What is left to refund, by currency. */
function sumsOf(payments: readonly Payment[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const payment of payments)
    sums.set(payment.currency, (sums.get(payment.currency) ?? 0n) + refundableMinor(payment))
  return sums
}

/** The sum of a refund, and what the role of the person leaves of it. */
async function refundTexts(request: AppRequest, payments: readonly Payment[]): Promise<string[]> {
  const { language, texts } = request
  const sums = [...sumsOf(payments)]
  const said = sums.map(([currency, minor]) => moneyInText(language, minor, currency)).join(' + ')
  const limits = await Promise.all(
    sums.map(async ([currency]) => {
      const allowance = await allowanceOf(request, { currency })
      if (allowance === undefined) return []
      return [texts.payments.refundLimit({ amount: moneyInText(language, allowance, currency) })]
    }),
  )
  return [texts.payments.refundSum({ sums: said }), ...limits.flat()]
}

/** Why none of the payments can be acted on, or undefined. */
function obstacleOf(request: AppRequest, action: BulkAction, able: readonly Payment[], all: number) {
  const { impossible, refundCode } = request.texts.payments
  if (able.length === 0) return impossible({ count: all })
  // A code counts once, so it would do for one payment only.
  return action === 'refund' && able.some((payment) => needsCode(request, payment, 'refund'))
    ? refundCode
    : undefined
}

async function ask(request: AppRequest): Promise<PageAnswer> {
  const action = askedAction(request)
  const { ctx, app, call, texts, base } = request
  const selected = await Promise.all(readIds(call.query.ids).map((id) => find(request, id)))
  const items = selected.filter(({ payment }) => payment)
  if (items.length === 0) throw notFound('The payments')
  const isAble = ({ payment }: Selected) =>
    payment !== undefined && allowedActions(ctx, app, payment).includes(action)
  const able = items.filter(isAble).flatMap(({ payment }) => payment ?? [])
  const { bulk, impossible, column, backToList } = texts.payments
  const { yes, no } = texts.frame
  // The sum covers the payments that can be refunded, so only they are counted.
  const meant = action === 'refund' ? able.map(({ paymentId }) => paymentId) : items.map(({ id }) => id)
  const obstacle = obstacleOf(request, action, able, items.length)
  const more = action === 'refund' ? await refundTexts(request, able) : []
  return renderScreen(request, {
    name: 'payments',
    title: bulk[action].title,
    crumbs: crumbsOf(request),
    children: (
      <>
        {obstacle ? (
          <Notice kind="info" title={obstacle}>
            <a href={`${base}/payments`}>{backToList}</a>
          </Notice>
        ) : (
          <Question
            action={`${base}/payments/bulk/${action}`}
            button={bulk[action].confirm({ count: meant.length })}
            kind={isDanger(action) ? 'danger' : 'primary'}
            back={`${base}/payments`}
            hidden={{ ids: meant.join('.') }}
          >
            <p>{bulk[action].effect({ count: meant.length })}</p>
            {more.map((text) => (
              <p>{text}</p>
            ))}
            {action === 'refund' && <ReasonField />}
            {able.length < items.length && <p>{impossible({ count: items.length - able.length })}</p>}
          </Question>
        )}
        <List
          caption={bulk[action].title}
          items={items}
          columns={[
            ...columnsOf(request),
            { label: column.possible, cell: (each) => (isAble(each) ? yes : no) },
          ]}
        />
      </>
    ),
  })
}

/** Acts on each payment. What fails does not stop the others. */
async function act(request: AppRequest): Promise<PageAnswer> {
  const action = askedAction(request)
  const { ctx, call, base } = request
  const endMs = ctx.clock.now().getTime() + LIMITS.actionWaitMs
  const results = new Map<string, number[]>()
  const queue = readIds(call.form.get('ids'))
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const result = await actOn(request, action, { id, endMs })
      results.set(result, [...(results.get(result) ?? []), id])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const query = [...results].map(([result, done]) => `${result}=${done.join('.')}`)
  return seeOther(`${base}/payments/bulk/${action}/result?${query.join('&')}`)
}

/**
 * `done`, or the code of the error. After `endMs` providers are asked in the background. The id of the form
 * is the idempotency key of each payment, so a form that is sent twice refunds once.
 */
async function actOn(
  { ctx, app, call }: AppRequest,
  action: BulkAction,
  { id, endMs }: { readonly id: number; readonly endMs: number },
): Promise<string> {
  try {
    const payment = await getPayment(ctx, app, id)
    const waitMs = Math.max(0, endMs - ctx.clock.now().getTime())
    const reason = REFUND_REASONS.find((each) => each === call.form.get('why'))
    await COMMANDS[action](ctx, app, payment, { waitMs, reason, requestKey: requestKeyOf(call) })
    return 'done'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    ctx.log.error('bulk.failed', { paymentId: id, error: String(error) })
    return 'other'
  }
}

async function showResult(request: AppRequest): Promise<PageAnswer> {
  const action = askedAction(request)
  const { call, texts, base } = request
  const { bulk, result, results, column, backToList } = texts.payments
  const entries = Object.entries(call.query)
    .flatMap(([code, ids]) => readIds(ids).map((id) => ({ code, id })))
    .sort((a, b) => b.id - a.id)
    .slice(0, MAX_SELECTED)
  const items = await Promise.all(
    entries.map(async ({ code, id }) => ({ code, ...(await find(request, id)) })),
  )
  const textOf = (code: string): string =>
    Object.hasOwn(results, code) ? results[code as keyof typeof results] : results.other
  const done = entries.filter(({ code }) => code === 'done').length
  return renderScreen(request, {
    name: 'payments',
    title: bulk[action].title,
    crumbs: crumbsOf(request),
    flash: { kind: done === entries.length ? 'ok' : 'bad', text: result({ done, all: entries.length }) },
    children: (
      <>
        <List
          caption={bulk[action].title}
          items={items}
          href={({ id, payment }) => payment && `${base}/payments/${id}`}
          data={({ code }) => ({ 'data-result': code === 'done' ? 'done' : 'failed' })}
          columns={[
            ...columnsOf(request),
            {
              label: column.result,
              cell: ({ payment, code }) => (payment ? textOf(code) : results.not_found),
            },
          ]}
        />
        <div>
          <GetButton href={`${base}/payments`}>{backToList}</GetButton>
        </div>
      </>
    ),
  })
}
