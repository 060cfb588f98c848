import { openDatabase } from '../../src/db/pool.ts'
import { type State, TRANSITIONS } from '../../src/payments/machine.ts'
import { chargesAgree, refusalsAreTrue } from '../simulate/ledger.ts'
import { readPayments } from '../simulate/scene.ts'
import { wrongHistories } from '../support/invariants.ts'
import type { Shop } from './world.ts'

interface Agreeing {
  readonly url: string
  readonly databaseUrl: string
  readonly shops: readonly Shop[]
  /** The last answer about each payment, by app and payment. */
  readonly seen: ReadonlyMap<string, object>
}

interface Payment {
  readonly paymentId: number
  readonly referenceId: string
  readonly customerId: string
  readonly paymentState: State
  readonly amount: number
  readonly currency: string
  readonly capturedAmount: number
  readonly refundedAmount: number
}

/** Pauses that bring every waiting operation to its next try. */
const PAUSES = ['2m', '10m', '1h', '3h', '12h', '1d', '1d']

/** Lets everything come to rest and compares payments with answers, with events and with the bank. */
export async function agreement({ url, databaseUrl, shops, seen }: Agreeing) {
  for (const shop of shops) await settle(url, shop)
  const database = openDatabase({ url: databaseUrl, size: 2 })
  try {
    const world = { database }
    const payments = await readPayments(world)
    const ask = async <Row>(text: string): Promise<Row[]> => database.query<Row>({ name: '', text })
    const disagreements = [
      ...(await answersHold(url, shops, seen)),
      ...(await chargesAgree({ world, payments })),
      ...(await refusalsAreTrue({ world })),
      ...(await wrongHistories(ask)),
    ]
    return { disagreements, payments: payments.length }
  } finally {
    await database.close()
  }
}

const headersOf = ({ apiKey }: Shop) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${apiKey}`,
})

/** A clock that an earlier request moved as far as it goes stays there. */
async function settle(url: string, shop: Shop): Promise<void> {
  const headers = headersOf(shop)
  const base = `${url}/api/apps/${shop.appId}/test-helpers`
  await (await fetch(`${base}/faults`, { method: 'DELETE', headers })).text()
  for (const advance of PAUSES) {
    const body = JSON.stringify({ advance })
    const reply = await fetch(`${base}/clock`, { method: 'POST', headers, body })
    await reply.text()
    if (!reply.ok) return
  }
}

/** Every state that a payment can be in later. */
const LATER = new Map<State, Set<State>>()
for (const { from } of TRANSITIONS) {
  const reached = new Set<State>([from])
  for (let size = 0; size < reached.size; ) {
    size = reached.size
    for (const one of TRANSITIONS) if (reached.has(one.from)) reached.add(one.to)
  }
  LATER.set(from, reached)
}

const FIXED = ['paymentId', 'referenceId', 'customerId', 'amount', 'currency'] as const

async function answersHold(url: string, shops: readonly Shop[], seen: Agreeing['seen']): Promise<string[]> {
  const problems: string[] = []
  for (const [key, known] of seen) {
    const [appId = '', paymentId = ''] = key.split(' ')
    const shop = shops.find((one) => one.appId === appId)
    if (!shop) continue
    const headers = headersOf(shop)
    const reply = await fetch(`${url}/api/apps/${appId}/payments/${paymentId}`, { headers })
    const now = (await reply.json()) as Payment
    problems.push(...changesOf(known as Payment, now, reply.status))
  }
  return problems
}

function changesOf(told: Payment, now: Payment, status: number): string[] {
  const what = `payment ${told.paymentId}`
  if (status !== 200) return [`${what} was answered before and is now ${status}`]
  const later = LATER.get(told.paymentState) ?? new Set([told.paymentState])
  return [
    ...FIXED.filter((name) => told[name] !== now[name]).map((name) => `${what} has another ${name}`),
    ...(later.has(now.paymentState) ? [] : [`${what} was ${told.paymentState} and is ${now.paymentState}`]),
    ...(now.capturedAmount < told.capturedAmount ? [`${what} lost a capture`] : []),
    ...(now.refundedAmount < told.refundedAmount ? [`${what} lost a refund`] : []),
  ]
}
