import { type Money, money } from '../../base/money.ts'
import { textAt } from '../kit/json.ts'
import { unreadable } from '../kit/reply.ts'
import type { Handles, NotDone, Outcome, Unknown } from '../outcome.ts'
import type { Operation } from '../port.ts'
import { markInReason, type RefundShare, readPayment, refundPayment, shareOf } from './calls.ts'
import { callFor, plain, type SquareContext } from './exchange.ts'
import { amountIn } from './facts.ts'
import { refundOutcome, wrongState } from './outcomes.ts'
import { partsOf, readRefunds } from './retrieve.ts'
import { isId, moneyAt } from './wire.ts'

/**
 * A refund of Square is of one payment. A page that was paid in parts has several: what no part can return
 * alone is returned in shares, one request for each part.
 */
export async function refund(
  ctx: SquareContext,
  op: Operation,
  handles: Handles,
  amount: Money,
): Promise<Outcome> {
  const parts = isId(handles.part) ? [handles.part] : partsOf(handles)
  const [only, ...more] = parts
  if (only === undefined) return wrongState('NOT_PAID')
  if (more.length === 0) return sendShares(ctx, op, amount, [{ payment: only, amount, place: 1, of: 1 }])
  const saved = savedShares(op, amount)
  if (saved) return sendShares(ctx, op, amount, saved)
  const shares = await planned(ctx, op, handles, amount)
  if ('kind' in shares) return shares
  // A repeat sends the same shares: other refunds may have changed what is left by then.
  const isHeld = op.save ? await op.save(savedAs(shares)) : true
  return isHeld ? sendShares(ctx, op, amount, shares) : unreadable()
}

const savedAs = (shares: readonly RefundShare[]): Handles => ({
  shares: shares.map(({ payment, amount }) => `${payment}=${amount.minor}`).join(','),
})

function savedShares({ saved }: Operation, { currency }: Money): readonly RefundShare[] | undefined {
  const texts = saved?.shares?.split(',')
  return texts?.map((text, index) => {
    const [payment = '', minor = '0'] = text.split('=')
    return { payment, amount: money(BigInt(minor), currency), place: index + 1, of: texts.length }
  })
}

/**
 * From the first part that has enough left, else from all of them in turn. An undo of an attempt saves
 * nothing and asks for what is left, so the shares that it sent before count among those of its refund.
 */
async function planned(
  ctx: SquareContext,
  op: Operation,
  handles: Handles,
  amount: Money,
): Promise<readonly RefundShare[] | NotDone | Unknown> {
  const found: { readonly payment: string; readonly left: bigint }[] = []
  let sent = 0
  for (const payment of partsOf(handles)) {
    const read = await callFor(ctx, readPayment(payment), 'payment')
    if (read.kind !== 'object') return plain(read)
    const refunds = await readRefunds(ctx, read.object, handles)
    if ('kind' in refunds) return refunds
    const given = refunds.filter((one) => !['REJECTED', 'FAILED'].includes(textAt(one, 'status') ?? ''))
    const sum = given.reduce((total, one) => total + (moneyAt(one, 'amount_money')?.minor ?? 0n), 0n)
    found.push({ payment, left: (amountIn(read.object)?.minor ?? 0n) - sum })
    sent += given.filter((one) => shareOf(markInReason(textAt(one, 'reason')) ?? '').key === op.key).length
  }
  const enough = sent === 0 ? found.find(({ left }) => left >= amount.minor) : undefined
  if (enough) return [{ payment: enough.payment, amount, place: 1, of: 1 }]
  return spread(found, amount, sent) ?? TOO_MUCH
}

function spread(
  found: readonly { readonly payment: string; readonly left: bigint }[],
  { minor, currency }: Money,
  sent: number,
): readonly RefundShare[] | undefined {
  let rest = minor
  const amounts = found.map(({ payment, left }) => {
    const taken = left < rest ? left : rest
    rest -= taken
    return { payment, amount: money(taken, currency) }
  })
  if (rest > 0n) return undefined
  const shares = amounts.filter(({ amount }) => amount.minor > 0n)
  return shares.map((one, index) => ({ ...one, place: sent + index + 1, of: sent + shares.length }))
}

const TOO_MUCH: NotDone = {
  ...{ kind: 'not-done', why: 'bad-request' },
  raw: { message: 'The parts of this payment do not have that much left.' },
}

/** Pending until every share is done. Each has a key of its own, so a repeat finds those that were made. */
async function sendShares(
  ctx: SquareContext,
  op: Operation,
  amount: Money,
  shares: readonly RefundShare[],
): Promise<Outcome> {
  const ids: string[] = []
  let isPending = false
  let total = 0n
  for (const share of shares) {
    const read = await callFor(ctx, refundPayment(op, share), 'refund')
    const outcome = refundOutcome(read, op, share)
    if (outcome.kind !== 'approved' && outcome.kind !== 'pending')
      return share.of === 1 || (ids.length === 0 && op.sending === 1) ? outcome : afterFirst(outcome)
    ids.push(outcome.handles.refund ?? '')
    isPending ||= outcome.kind === 'pending'
    total += outcome.echo?.amount?.minor ?? 0n
  }
  const done = { handles: { refund: ids.join(',') }, echo: { amount: money(total, amount.currency) } }
  return isPending
    ? { kind: 'pending', waitsFor: 'provider', ...done }
    : { kind: 'approved', facts: {}, ...done }
}

/** A share was made before, so nothing is said of the refund as a whole: what Square shows decides. */
function afterFirst(failed: Outcome): Outcome {
  if (failed.kind === 'declined') return wrongState(failed.raw.code ?? '')
  if (failed.kind !== 'not-done') return failed
  if (failed.why === 'not-sent' || failed.why === 'rate-limited') return failed
  return failed.why === 'bad-credentials' ? unreadable(failed.raw) : wrongState(failed.raw?.code ?? '')
}
