import { type Json, objectAt, textAt } from '../kit/json.ts'
import { unsupported } from '../kit/reply.ts'
import type { Declined, Handles, NotDone, SetupOutcome, Unknown } from '../outcome.ts'
import type { MethodSetup, Purchase } from '../port.ts'
import { createCustomer, openKeepPage } from './calls.ts'
import {
  call,
  declinedBy,
  isRepeatedError,
  NOT_MADE,
  readReply,
  type StripeContext,
  send,
} from './exchange.ts'
import { storedMethodOf } from './facts.ts'
import { redirectOf } from './outcomes.ts'
import { readKeepSession } from './reads.ts'
import { isId } from './wire.ts'

/** Opens a page on which the customer stores a method. */
export async function setUp(
  ctx: StripeContext,
  newMethod: MethodSetup,
  backUrl: string,
): Promise<SetupOutcome> {
  if (newMethod.instrument) return unsupported('Methods are stored on the page of Stripe only.')
  const customer = await newCustomer(ctx, newMethod.key, newMethod.customer)
  if (customer.kind !== 'customer') return customer
  const request = openKeepPage(newMethod, backUrl, customer.id)
  if (!request) return unsupported(`Stripe does not store ${newMethod.method}.`)
  const reply = await send(ctx, request)
  if (isRepeatedError(reply)) return NOT_MADE
  const read = readReply(reply, request.answers, ctx.now())
  if (read.kind !== 'object') return read
  return redirectOf(read.object) ?? { kind: 'unknown', why: 'unreadable-reply' }
}

/** The result, after the customer has left the page. */
export async function finishSetup(ctx: StripeContext, { session }: Handles): Promise<SetupOutcome> {
  if (!isId(session)) return { kind: 'unknown', why: 'unreadable-reply' }
  const read = await call(ctx, readKeepSession(session))
  return read.kind === 'object' ? storedIn(read.object) : read
}

function storedIn(session: Json): SetupOutcome {
  const setup = objectAt(session, 'setup_intent')
  if (textAt(setup, 'status') === 'succeeded') {
    const stored = storedMethodOf(objectAt(setup, 'payment_method'))
    return stored ? { kind: 'stored', stored } : { kind: 'unknown', why: 'unreadable-reply' }
  }
  const error = objectAt(setup, 'last_setup_error')
  if (textAt(error, 'type')) return declinedBy(error)
  const status = textAt(session, 'status')
  if (status === 'expired' || status === 'open') return LEFT[status]
  return { kind: 'unknown', why: 'unreadable-reply' }
}

const ended = { kind: 'declined', retry: 'after-customer-acts', raw: {} } as const
/** The customer came back without storing a method. */
const LEFT: Readonly<Record<'expired' | 'open', Declined>> = {
  expired: { ...ended, reason: 'expired' },
  open: { ...ended, reason: 'customer-cancelled' },
}

/** A customer for the method that will be stored. */
export async function newCustomer(
  ctx: StripeContext,
  key: string,
  customer: Purchase['customer'],
): Promise<{ readonly kind: 'customer'; readonly id: string } | Declined | NotDone | Unknown> {
  const request = createCustomer(key, customer)
  const reply = await send(ctx, request)
  if (isRepeatedError(reply)) return NOT_MADE
  const read = readReply(reply, request.answers, ctx.now())
  if (read.kind === 'declined') return { kind: 'not-done', why: 'bad-request', raw: read.raw }
  if (read.kind !== 'object') return read
  const id = textAt(read.object, 'id')
  return isId(id) ? { kind: 'customer', id } : { kind: 'unknown', why: 'unreadable-reply' }
}
