import { ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Notice } from '../../kit/html/layout.tsx'
import { MoneyText } from '../../kit/format/money.tsx'
import { shortText } from '../../kit/format/short-text.ts'
import { cancelPayment, capturePayment, getPayment, recheckPayment } from '../../../payments/actions.ts'
import type { Payment } from '../../../payments/payment.ts'
import { allowedActions } from '../../../payments/view.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Question, GetButton } from '../../kit/html/forms.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { Table, type TableRow, withQuery } from '../../kit/list.tsx'
import { listPath, readAddress } from './address.ts'
import { BULK_ACTIONS, type BulkAction } from './bulk-bar.tsx'

/**
 * Actions on several payments: the list posts the selection, a page asks, its form acts on each payment by
 * the ordinary command, and a page shows the result of each. The ids are in the addresses, so each page can
 * be reloaded.
 */

const MOST_SELECTED = 100
/** Payments that are acted on at once: each may wait for its provider. */
const AT_ONCE = 8

const COMMANDS = { capture: capturePayment, cancel: cancelPayment, recheck: recheckPayment } as const

function actionOf(text: string | undefined): BulkAction {
  const action = BULK_ACTIONS.find((name) => name === text)
  if (!action) throw notFound('The action')
  return action
}

export const readIds = (text = ''): number[] => [
  ...new Set(text.split('.', MOST_SELECTED).flatMap((id) => readId(id) ?? [])),
]

/** Of the selection in the list. Nothing is changed yet. An export has nothing to ask. */
export function select(request: AppRequest): PageAnswer {
  const { call, base } = request
  const isExport = call.form.get('do') === 'export'
  const path = isExport ? 'export' : `bulk/${actionOf(call.form.get('do'))}`
  const address = readAddress(Object.fromEntries(new URLSearchParams(call.form.get('query') ?? '')))
  const ids = call.fieldsOf('payment')
  const problem = ids.length === 0 ? 'none' : ids.length > MOST_SELECTED ? 'many' : undefined
  if (problem) return seeOther(withQuery(listPath(base, address), { note: problem }))
  return seeOther(`${base}/payments/${path}?ids=${readIds(ids.join('.')).join('.')}`)
}

const find = async ({ ctx, app }: AppRequest, paymentId: number): Promise<Payment | undefined> => {
  try {
    return await getPayment(ctx, app, paymentId)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

const findAll = async (request: AppRequest, ids: readonly number[]): Promise<Payment[]> =>
  (await Promise.all(ids.map((id) => find(request, id)))).filter((payment) => payment !== undefined)

export async function ask(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const action = actionOf(call.params.action)
  const payments = await findAll(request, readIds(call.query.ids))
  if (payments.length === 0) throw notFound('The payments')
  const able = payments.filter((payment) => allowedActions(ctx, app, payment).includes(action))
  const { bulk, impossible, column, backToList } = texts.payments
  const rows = payments.map((payment): TableRow => {
    const { yes, no } = texts.frame
    return { cells: [...factsOf(request, payment), able.includes(payment) ? yes : no] }
  })
  return renderScreen(request, {
    name: 'payments',
    title: bulk[action].title,
    crumbs: [{ label: texts.payments.title, href: `${base}/payments` }],
    children: (
      <>
        {able.length === 0 ? (
          <Notice kind="info" title={impossible(payments.length)}>
            <a href={`${base}/payments`}>{backToList}</a>
          </Notice>
        ) : (
          <Question
            action={`${base}/payments/bulk/${action}`}
            button={bulk[action].confirm(payments.length)}
            kind={action === 'cancel' ? 'danger' : 'primary'}
            back={`${base}/payments`}
            hidden={{ ids: payments.map(({ paymentId }) => paymentId).join('.') }}
          >
            <p>{bulk[action].says(payments.length)}</p>
            {able.length < payments.length && <p>{impossible(payments.length - able.length)}</p>}
          </Question>
        )}
        <Table
          caption={bulk[action].title}
          columns={[...headsOf(request), { label: column.possible }]}
          rows={rows}
        />
      </>
    ),
  })
}

const headsOf = ({ texts }: AppRequest) => {
  const { column } = texts.payments
  return [{ label: column.amount, end: true }, { label: column.reference }, { label: column.now }]
}

const factsOf = ({ language, texts, base }: AppRequest, payment: Payment) => [
  <a href={`${base}/payments/${payment.paymentId}`}>
    <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
  </a>,
  <bdi>{shortText(payment.referenceId, 40)}</bdi>,
  <StateBadge texts={texts} state={payment.state} />,
]

/** Acts on each payment. What fails does not stop the others. */
export async function act(request: AppRequest): Promise<PageAnswer> {
  const { ctx, call, base } = request
  const action = actionOf(call.params.action)
  const ids = readIds(call.form.get('ids'))
  const endMs = ctx.clock.now().getTime() + LIMITS.actionWaitMs
  const results = new Map<string, number[]>()
  const queue = [...ids]
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const result = await actOn(request, action, { paymentId: id, endMs })
      results.set(result, [...(results.get(result) ?? []), id])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const query = [...results].map(([result, done]) => `${result}=${done.join('.')}`)
  return seeOther(`${base}/payments/bulk/${action}/result?${query.join('&')}`)
}

interface Acting {
  readonly paymentId: number
  readonly endMs: number
}

/** `done`, or the code of the error. After `endMs` providers are asked in the background. */
async function actOn(
  { ctx, app }: AppRequest,
  action: BulkAction,
  { paymentId, endMs }: Acting,
): Promise<string> {
  try {
    const payment = await getPayment(ctx, app, paymentId)
    await COMMANDS[action](ctx, app, payment, { waitMs: Math.max(0, endMs - ctx.clock.now().getTime()) })
    return 'done'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    ctx.log.error('bulk.failed', { paymentId, error: String(error) })
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
    .slice(0, MOST_SELECTED)
  const rows = await Promise.all(
    entries.map(async ({ code, id }): Promise<TableRow> => {
      const payment = await find(request, id)
      const text = Object.hasOwn(results, code) ? results[code as keyof typeof results] : results.other
      return {
        cells: payment ? [...factsOf(request, payment), text] : [id, null, null, results.not_found],
        ...(payment ? { href: `${base}/payments/${id}` } : {}),
        data: { 'data-result': code === 'done' ? 'done' : 'failed' },
      }
    }),
  )
  const done = entries.filter(({ code }) => code === 'done').length
  return renderScreen(request, {
    name: 'payments',
    title: bulk[action].title,
    crumbs: [{ label: texts.payments.title, href: `${base}/payments` }],
    flash: { kind: done === entries.length ? 'ok' : 'bad', text: result(done, entries.length) },
    children: (
      <>
        <Table
          caption={bulk[action].title}
          columns={[...headsOf(request), { label: column.result }]}
          rows={rows}
        />
        <div>
          <GetButton href={`${base}/payments`}>{backToList}</GetButton>
        </div>
      </>
    ),
  })
}
