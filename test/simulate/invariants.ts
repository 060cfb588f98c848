import { createHash } from 'node:crypto'
import { STATES, type State, TRANSITIONS } from '../../src/payments/machine.ts'
import { TEST_CARDS } from '../../src/providers/sandbox/values.ts'
import { type Heard, hookOf, type Merchant } from './merchant.ts'
import type { World } from './world.ts'

/** What must be true when everything has come to rest, whatever happened before. */
interface Scene {
  readonly world: World
  readonly merchants: readonly Merchant[]
  readonly heard: readonly Heard[]
}

interface PaymentRow {
  app_id: string
  payment_id: string
  reference_id: string
  state: State
  sequence: number
  amount_minor: string
  captured_minor: string
  refunded_minor: string
  currency: string
  marked: boolean
  disputed: boolean
  attempts: string[] | null
}

interface LedgerRow {
  reference: string
  kind: string
  amount_minor: string
}

export async function checkInvariants(scene: Scene): Promise<string[]> {
  const payments = await rows<PaymentRow>(scene, PAYMENTS)
  return [
    ...(await oneForEachReference(scene)),
    ...payments.flatMap(sumsArePossible),
    ...(await ledgerAgrees(scene, payments)),
    ...(await historiesAreLegal(scene, payments)),
    ...(await everyEventIsDelivered(scene)),
    ...acknowledgedIsDurable(scene, payments),
    ...nobodyGotA5xx(scene),
    ...noByteCrossesTenants(scene),
    ...(await nothingSecretIsWritten(scene)),
    ...(await nothingMoves(scene)),
  ]
}

async function rows<Row>({ world }: Scene, text: string): Promise<Row[]> {
  const name = `simulate.${createHash('sha1').update(text).digest('hex')}`
  return world.database.query<Row>({ name, text })
}

const PAYMENTS = `
  select p.app_id, p.payment_id, p.reference_id, p.state, p.sequence, p.amount_minor, p.captured_minor,
    p.refunded_minor, p.currency,
    exists (select from refunds r where r.app_id = p.app_id and r.payment_id = p.payment_id
      and r.refund_id like 'marked%') as marked,
    exists (select from events e where e.app_id = p.app_id and e.payment_id = p.payment_id
      and e.state = 'Disputed') as disputed,
    (select array_agg(operation_key) from operations o where o.app_id = p.app_id
      and o.payment_id = p.payment_id and o.step in ('start', 'charge')) as attempts
  from payments p`

async function oneForEachReference(scene: Scene): Promise<string[]> {
  const twice = await rows<{ reference_id: string }>(
    scene,
    'select reference_id from payments group by app_id, reference_id having count(*) > 1',
  )
  return twice.map((row) => `reference ${row.reference_id} has several payments`)
}

function sumsArePossible(payment: PaymentRow): string[] {
  const [amount, captured, refunded] = [
    payment.amount_minor,
    payment.captured_minor,
    payment.refunded_minor,
  ].map(BigInt)
  const possible =
    0n <= (refunded ?? 0n) && (refunded ?? 0n) <= (captured ?? 0n) && (captured ?? 0n) <= (amount ?? 0n)
  return possible ? [] : [`payment ${payment.payment_id}: sums are impossible`]
}

const isCharge = ({ kind }: LedgerRow): boolean => kind === 'capture' || kind === 'sale'
const sum = (entries: readonly LedgerRow[]): bigint =>
  entries.reduce((total, row) => total + BigInt(row.amount_minor), 0n)

/** At most one charge for each payment that was not undone, and the bank's sums are ours. */
async function ledgerAgrees(scene: Scene, payments: readonly PaymentRow[]): Promise<string[]> {
  const ledger = await rows<LedgerRow>(
    scene,
    `select p.reference, l.kind, l.amount_minor from sandbox_bank.ledger l
     join sandbox_bank.payments p on p.account = l.account and p.payment_id = l.payment_id
     where l.status = 'done'`,
  )
  return payments.flatMap((payment) => {
    const attempts = (payment.attempts ?? []).map((reference) =>
      ledger.filter((row) => row.reference === reference),
    )
    const kept = attempts.filter(
      (entries) => sum(entries.filter(isCharge)) > sum(entries.filter((e) => e.kind === 'refund')),
    )
    const whole = attempts.flat()
    const charged = sum(whole.filter(isCharge))
    const returned = sum(whole.filter((row) => row.kind === 'refund'))
    const said = [BigInt(payment.captured_minor), BigInt(payment.refunded_minor)] as const
    const told = `payment ${payment.payment_id} (${payment.state})`
    const problems: string[] = []
    if (kept.length > 1) problems.push(`${told} is charged ${kept.length} times`)
    if (charged - returned !== said[0] - said[1] && !payment.marked && !payment.disputed)
      problems.push(`${told}: the bank kept ${charged} − ${returned}, we say ${said[0]} − ${said[1]}`)
    return problems
  })
}

const LEGAL = new Set(TRANSITIONS.map(({ from, to }) => `${from} ${to}`))

/** Events are the transitions: one for each state entered, without a gap, each step in the table. */
async function historiesAreLegal(scene: Scene, payments: readonly PaymentRow[]): Promise<string[]> {
  const events = await rows<{ payment_id: string; sequence: number; state: State }>(
    scene,
    'select payment_id, sequence, state from events where payment_id > 0 order by payment_id, sequence',
  )
  const histories = new Map<string, { sequence: number; state: State }[]>()
  for (const event of events)
    histories.set(event.payment_id, [...(histories.get(event.payment_id) ?? []), event])
  return payments.flatMap((payment) => {
    const history = histories.get(payment.payment_id) ?? []
    const states = history.map((event) => event.state)
    const told = `payment ${payment.payment_id}: ${states.join(' → ')}`
    const problems: string[] = []
    if (history.some((event, place) => event.sequence !== place + 1)) problems.push(`${told} has gaps`)
    if (states[0] !== 'Created' || states.at(-1) !== payment.state || states.length !== payment.sequence)
      problems.push(`${told} does not tell the payment's story (${payment.state}, ${payment.sequence})`)
    for (const [place, state] of states.slice(1).entries())
      if (!LEGAL.has(`${states[place]} ${state}`)) problems.push(`${told}: illegal step to ${state}`)
    return problems
  })
}

/** Each event reached its merchant, for the first time in the order of its payment. */
async function everyEventIsDelivered(scene: Scene): Promise<string[]> {
  const { world, merchants } = scene
  const events = await rows<{ app_id: string; payment_id: string; sequence: number }>(
    scene,
    'select app_id, payment_id, sequence from events where payment_id > 0',
  )
  const firsts = new Map<string, number>()
  const problems: string[] = []
  const latest = new Map<number, number>()
  for (const [place, { url, eventId, paymentId, sequence }] of world.received.entries()) {
    if (firsts.has(`${url} ${eventId}`)) continue
    firsts.set(`${url} ${eventId}`, place)
    if (sequence !== (latest.get(paymentId) ?? 0) + 1) problems.push(`${eventId} came out of order`)
    latest.set(paymentId, sequence)
  }
  const hooks = new Map(merchants.map((merchant) => [merchant.appId, hookOf(merchant.mark)]))
  for (const { app_id, payment_id, sequence } of events)
    if (!firsts.has(`${hooks.get(app_id)} evt_${payment_id}_${sequence}`))
      problems.push(`evt_${payment_id}_${sequence} was never delivered`)
  return problems
}

function acknowledgedIsDurable({ merchants }: Scene, payments: readonly PaymentRow[]): string[] {
  const byKey = new Map(payments.map((payment) => [`${payment.app_id} ${payment.reference_id}`, payment]))
  return merchants.flatMap((merchant) =>
    [...merchant.acknowledged.values()].flatMap((known) => {
      const found = byKey.get(`${merchant.appId} ${known.referenceId}`)
      if (!found || Number(found.payment_id) !== known.paymentId)
        return [`payment ${known.referenceId} was lost`]
      if (known.captured && found.captured_minor === '0')
        return [`the capture of ${known.referenceId} was lost`]
      return []
    }),
  )
}

/** The database is never away in this world; only a customer's browser may find the bank silent. */
const nobodyGotA5xx = ({ heard }: Scene): string[] =>
  heard

    .filter(({ status, what }) => status >= 500 && !(status === 503 && what.includes('test-helpers/')))
    .map((reply) => `${reply.what} answered ${reply.status}: ${reply.text}`)

function noByteCrossesTenants({ heard, merchants }: Scene): string[] {
  return merchants.flatMap((stranger) =>
    heard
      .filter((reply) => reply.appId !== stranger.appId)
      .filter(({ text }) => text.includes(stranger.appId) || text.includes(`${stranger.mark}-`))
      .map((reply) => `${reply.what} shows something of another merchant`),
  )
}

async function nothingSecretIsWritten(scene: Scene): Promise<string[]> {
  const { world, merchants } = scene
  const secrets = [
    ...TEST_CARDS.map((card) => card.number),
    ...merchants.flatMap(({ apiKey, webhookSecret }) => [apiKey, webhookSecret]),
  ]
  const tables = await rows<{ name: string }>(
    scene,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'sandbox_bank')`,
  )
  const problems: string[] = []
  const look = (where: string, text: string) => {
    if (secrets.some((secret) => text.includes(secret)))
      problems.push(`${where} holds a secret or a card number`)
  }
  look('the log', world.lines.join('\n'))
  for (const { name } of tables) {
    const [row] = await rows<{ text: string | null }>(
      scene,
      `select string_agg(t::text, '\n') as text from ${name} t`,
    )
    look(name, row?.text ?? '')
  }
  return problems
}

/** After the quiet phase nothing is moving unless the provider is. */
async function nothingMoves(scene: Scene): Promise<string[]> {
  const moving = await rows<{ payment_id: string; state: State; status: string | null }>(
    scene,
    `select p.payment_id, p.state, b.status from payments p
     left join sandbox_bank.payments b on b.account = p.app_id and b.reference = p.attempt_key`,
  )
  return moving
    .filter(({ state }) => STATES[state].kind === 'moving')
    .filter(({ status }) => !['needs-customer', 'processing', 'in-review'].includes(status ?? ''))
    .map(
      ({ payment_id, state, status }) => `payment ${payment_id} is still ${state}, the bank says ${status}`,
    )
}
