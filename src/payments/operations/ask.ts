import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { type App, callProvider } from '../../merchants/app.ts'
import type { Sight, Snapshot } from '../../providers/outcome.ts'
import { type Applied, apply } from '../apply.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { findOpenOperation } from '../store.ts'
import { profileOf, surroundings } from './around.ts'
import { decide } from './judging.ts'
import { newsFrom, wasNotReceived } from './sightings.ts'

/** What reading the provider brought. */
export type Asked =
  | { readonly kind: 'news'; readonly applied: Applied }
  /** The provider's view is what is known already; somebody may have written it down just now. */
  | { readonly kind: 'nothing-new'; readonly payment: Payment }
  /** It knows the payment, but not this operation: it may be sent again, with its key. */
  | { readonly kind: 'not-received' }
  /** It does not know the payment, and would by now. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

interface Asking {
  readonly payment: Payment
  readonly operation: OperationRecord | undefined
  /** It is the payment's open one, or there is none, and was looked for after the payment was read. */
  readonly isOpenOne?: true
}

/** Reads the provider's view of a payment and writes what is new in it. */
export async function askProvider(ctx: Context, app: App, asking: Asking): Promise<Asked> {
  const sight = await retrieve(ctx, app, asking.payment)
  if (sight.kind === 'absent') return { kind: sight.conclusive ? 'absent' : 'unknown' }
  if (sight.kind !== 'snapshot') return { kind: 'unknown' }
  return believe(ctx, app, asking, sight)
}

function believe(ctx: Context, app: App, asked: Asking, snapshot: Snapshot): Promise<Asked> {
  let { payment } = asked
  return decide(ctx, app, payment, async () => {
    // Looked for after the payment: when nobody has changed that by the time of writing, it is still the one.
    const isKnown = asked.isOpenOne && payment === asked.payment
    const open = isKnown ? asked.operation : await findOpenOperation(ctx.db, payment.appId, payment.paymentId)
    const operation = open?.attempt === payment.attempt ? open : undefined
    const told = { facts: snapshot.facts, isApproval: isApproval(payment, snapshot) }
    const around = await surroundings(ctx, app, payment, told)
    let anyNews = false
    let isOutdated = false
    const applied = await apply(ctx, app, payment, (current) => {
      anyNews = false
      // What was read is about one attempt: to one that began meanwhile it says nothing.
      if (current.attemptKey !== asked.payment.attemptKey) return undefined
      // Who was faster may have opened another operation, and that is the one which the news would end.
      isOutdated = current.version !== payment.version
      if (isOutdated) return undefined
      const change = newsFrom({ payment: current, operation, snapshot, around })
      anyNews = change !== undefined
      return change
    })
    payment = applied.payment
    if (applied.isLate || isOutdated) return undefined
    if (anyNews) return { kind: 'news', applied }
    const isOurs = operation?.key === asked.operation?.key
    if (isOurs && wasNotReceived({ payment, operation, snapshot, around })) return { kind: 'not-received' }
    return { kind: 'nothing-new', payment }
  })
}

/** An attempt that was not known to have gone through. */
const isApproval = ({ state }: Payment, { stage }: Snapshot): boolean =>
  (stage === 'authorised' || stage === 'captured') &&
  (state === 'Created' || state === 'Authorizing' || state === 'SaleInProgress' || state === 'Approved')

async function retrieve(ctx: Context, app: App, payment: Payment): Promise<Sight> {
  const profile = profileOf(app, payment)
  try {
    return await callProvider(ctx, app, profile, (adapter, provider) =>
      adapter.retrieve(provider, payment.attemptKey ?? '', payment.handles ?? {}),
    )
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { kind: 'unknown', why: 'unreadable-reply' }
  }
}
