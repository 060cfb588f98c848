import { openDatabase } from '../../src/db/pool.ts'
import { type State, TRANSITIONS } from '../../src/payments/machine.ts'
import { chargesAgree, refusalsAreTrue } from '../simulate/ledger.ts'
import { readPayments, rows } from '../simulate/scene.ts'
import { wrongHistories } from '../support/invariants.ts'
import type { Shop } from './world.ts'

interface AgreementOptions {
  readonly url: string
  readonly databaseUrl: string
  readonly shops: readonly Shop[]
  /** The last response with each payment, by app and payment. */
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

/** Clock steps that make every waiting operation due for its next attempt. */
const CLOCK_STEPS = ['2m', '10m', '1h', '3h', '12h', '1d', '1d']

/** Completes all open work, then compares payments with responses, events and the bank. */
export async function agreement({ url, databaseUrl, shops, seen }: AgreementOptions) {
  for (const shop of shops) await settle(url, shop)
  const database = openDatabase({ url: databaseUrl, size: 2 })
  try {
    const world = { database }
    const payments = await readPayments(world)
    const ask = <Row>(text: string): Promise<Row[]> => rows<Row>(world, text)
    const disagreements = [
      ...(await changedPayments(url, shops, seen)),
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

/** Advances the clock; stops if an earlier request has advanced it to its limit. */
async function settle(url: string, shop: Shop): Promise<void> {
  const headers = headersOf(shop)
  const base = `${url}/api/apps/${shop.appId}/test-helpers`
  await (await fetch(`${base}/faults`, { method: 'DELETE', headers })).text()
  for (const advance of CLOCK_STEPS) {
    const body = JSON.stringify({ advance })
    const reply = await fetch(`${base}/clock`, { method: 'POST', headers, body })
    await reply.text()
    if (!reply.ok) return
  }
}

/** For each state, the states reachable from it. */
const REACHABLE = new Map<State, Set<State>>()
for (const { from } of TRANSITIONS) {
  const reached = new Set<State>([from])
  for (let size = 0; size < reached.size; ) {
    size = reached.size
    for (const one of TRANSITIONS) if (reached.has(one.from)) reached.add(one.to)
  }
  REACHABLE.set(from, reached)
}

const FIXED = ['paymentId', 'referenceId', 'customerId', 'amount', 'currency'] as const

async function changedPayments(
  url: string,
  shops: readonly Shop[],
  seen: AgreementOptions['seen'],
): Promise<string[]> {
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

function changesOf(earlier: Payment, now: Payment, status: number): string[] {
  const what = `payment ${earlier.paymentId}`
  if (status !== 200) return [`${what} was returned before and is now ${status}`]
  const later = REACHABLE.get(earlier.paymentState) ?? new Set([earlier.paymentState])
  return [
    ...FIXED.filter((name) => earlier[name] !== now[name]).map((name) => `${what} has another ${name}`),
    ...(later.has(now.paymentState)
      ? []
      : [`${what} was ${earlier.paymentState} and is ${now.paymentState}`]),
    ...(now.capturedAmount < earlier.capturedAmount ? [`${what} lost a capture`] : []),
    ...(now.refundedAmount < earlier.refundedAmount ? [`${what} lost a refund`] : []),
  ]
}
