import { ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import { cancelPayment, capturePayment, getPayment, recheckPayment } from '../../../payments/actions.ts'
import type { Payment } from '../../../payments/payment.ts'
import { allowedActions } from '../../../payments/view.ts'
import { Money } from '../../kit/format/money.tsx'
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
import { useRequest } from '../../kit/screen.tsx'
import { addressQuery, listPath, postedAddress, readAddress } from './address.ts'

/**
 * Actions on several payments: the list posts the selection, a page asks, its form acts on each payment by
 * the ordinary command, and a page shows the result of each. The ids are in the addresses, so each page can
 * be reloaded.
 */

const COMMANDS = { capture: capturePayment, cancel: cancelPayment, recheck: recheckPayment } as const
type BulkAction = keyof typeof COMMANDS
const BULK_ACTIONS = Object.keys(COMMANDS) as BulkAction[]

const MAX_SELECTED = 100
/** Payments that are acted on at once: each may wait for its provider. */
const AT_ONCE = 8

/** Shown while a payment is selected; always where the browser cannot tell. */
export function BulkBar() {
  const { texts, base, call } = useRequest()
  const { payments } = texts
  const query = addressQuery(readAddress(call.query))
  return (
    <Form action={`${base}/payments/bulk`} hidden={{ query }} class="bulk card" id="bulk">
      <label class="check" hidden data-select-all="payment">
        <input type="checkbox" autocomplete="off" />
        <span>{payments.selectAll}</span>
      </label>
      <p>{payments.withSelected}</p>
      <div class="buttons">
        {BULK_ACTIONS.map((action) => (
          <Button kind={action === 'cancel' ? 'danger' : 'quiet'} name="do" value={action}>
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
export function select({ call, base }: AppRequest): PageAnswer {
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

export async function ask(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const action = actionOf(call.params.action)
  const selected = await Promise.all(readIds(call.query.ids).map((id) => find(request, id)))
  const items = selected.filter(({ payment }) => payment)
  if (items.length === 0) throw notFound('The payments')
  const isAble = ({ payment }: Selected) =>
    payment !== undefined && allowedActions(ctx, app, payment).includes(action)
  const able = items.filter(isAble).length
  const { bulk, impossible, column, backToList } = texts.payments
  const { yes, no } = texts.frame
  return renderScreen(request, {
    name: 'payments',
    title: bulk[action].title,
    crumbs: crumbsOf(request),
    children: (
      <>
        {able === 0 ? (
          <Notice kind="info" title={impossible({ count: items.length })}>
            <a href={`${base}/payments`}>{backToList}</a>
          </Notice>
        ) : (
          <Question
            action={`${base}/payments/bulk/${action}`}
            button={bulk[action].confirm({ count: items.length })}
            kind={action === 'cancel' ? 'danger' : 'primary'}
            back={`${base}/payments`}
            hidden={{ ids: items.map(({ id }) => id).join('.') }}
          >
            <p>{bulk[action].effect({ count: items.length })}</p>
            {able < items.length && <p>{impossible({ count: items.length - able })}</p>}
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
export async function act(request: AppRequest): Promise<PageAnswer> {
  const { ctx, call, base } = request
  const action = actionOf(call.params.action)
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

/** `done`, or the code of the error. After `endMs` providers are asked in the background. */
async function actOn(
  { ctx, app }: AppRequest,
  action: BulkAction,
  { id, endMs }: { readonly id: number; readonly endMs: number },
): Promise<string> {
  try {
    const payment = await getPayment(ctx, app, id)
    await COMMANDS[action](ctx, app, payment, { waitMs: Math.max(0, endMs - ctx.clock.now().getTime()) })
    return 'done'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    ctx.log.error('bulk.failed', { paymentId: id, error: String(error) })
    return 'other'
  }
}

export async function showResult(request: AppRequest): Promise<PageAnswer> {
  const { call, texts, base } = request
  const action = actionOf(call.params.action)
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
