import type pg from 'pg'
import { STATES, type State, TRANSITIONS } from '../../src/payments/machine.ts'

/** What a shop was told, and may therefore rely on. */
export interface Acknowledged {
  readonly appId: string
  readonly referenceId: string
  readonly paymentId: number
  captured: boolean
  refunded: boolean
}

/** Runs one statement on the database, whichever server that is now. */
export type Ask = <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>

/** Each way in which what must always be true is not, once everything has come to rest. */
export async function brokenInvariants(ask: Ask, known: Iterable<Acknowledged>): Promise<string[]> {
  return [
    ...(await doubledReferences(ask)),
    ...(await wrongSums(ask)),
    ...(await wrongHistories(ask)),
    ...(await lostPromises(ask, known)),
    ...(await stillMoving(ask)),
  ]
}

async function doubledReferences(ask: Ask): Promise<string[]> {
  const rows = await ask<{ reference_id: string }>(
    'select reference_id from payments group by app_id, reference_id having count(*) > 1',
  )
  return rows.map((row) => `reference ${row.reference_id} has several payments`)
}

/** The bank's ledger against our payments: at most one charge for each, and the same sums. */
async function wrongSums(ask: Ask): Promise<string[]> {
  const rows = await ask<{ payment_id: string; state: string; ours: string; bank: string; charges: number }>(
    `select p.payment_id, p.state, p.captured_minor - p.refunded_minor as ours,
       coalesce(sum(case when l.kind = 'refund' then -l.amount_minor else l.amount_minor end), 0) as bank,
       count(*) filter (where l.kind in ('capture', 'sale'))::int as charges
     from payments p
       left join operations o on o.app_id = p.app_id and o.payment_id = p.payment_id
         and o.step in ('start', 'charge')
       left join sandbox_bank.payments b on b.account = o.app_id and b.reference = o.operation_key
       left join sandbox_bank.ledger l on l.account = b.account and l.payment_id = b.payment_id
         and l.status = 'done' and l.kind in ('capture', 'sale', 'refund')
     group by p.app_id, p.payment_id
     having coalesce(sum(case when l.kind = 'refund' then -l.amount_minor else l.amount_minor end), 0)
         <> p.captured_minor - p.refunded_minor
       or count(*) filter (where l.kind in ('capture', 'sale')) > 1`,
  )
  return rows.map(
    (row) =>
      `payment ${row.payment_id} (${row.state}): the bank charged ${row.charges} times ` +
      `and kept ${row.bank}, we say ${row.ours}`,
  )
}

const LEGAL = new Set(TRANSITIONS.map(({ from, to }) => `${from} ${to}`))

/** Events are the transitions: one for each state entered, without a gap, each a row of the machine. */
export async function wrongHistories(ask: Ask): Promise<string[]> {
  const rows = await ask<{
    payment_id: string
    state: State
    sequence: number
    last: number
    states: State[] | null
  }>(
    `select p.payment_id, p.state, p.sequence, max(e.sequence) as last,
       array_agg(e.state order by e.sequence) filter (where e.state is not null) as states
     from payments p left join events e on e.app_id = p.app_id and e.payment_id = p.payment_id
     group by p.app_id, p.payment_id`,
  )
  return rows.flatMap(({ payment_id, state, sequence, last, states }) => {
    const reported = states ?? []
    const isWhole = reported[0] === 'Created' && reported.at(-1) === state && reported.length === sequence
    const isLegal = reported.slice(1).every((to, place) => LEGAL.has(`${reported[place]} ${to}`))
    if (isWhole && isLegal && last === sequence) return []
    return [`payment ${payment_id} is ${state} (${sequence}), its events say ${reported.join(' → ')}`]
  })
}

async function lostPromises(ask: Ask, known: Iterable<Acknowledged>): Promise<string[]> {
  const rows = await ask<{
    app_id: string
    reference_id: string
    payment_id: string
    captured: boolean
    refunded: boolean
  }>(
    `select app_id, reference_id, payment_id, captured_minor > 0 as captured, refunded_minor > 0 as refunded
     from payments`,
  )
  const kept = new Map(rows.map((row) => [`${row.app_id} ${row.reference_id}`, row]))
  return [...known].flatMap(({ appId, referenceId, paymentId, captured, refunded }) => {
    const row = kept.get(`${appId} ${referenceId}`)
    if (!row || Number(row.payment_id) !== paymentId) return [`payment ${referenceId} was lost`]
    if (captured && !row.captured) return [`the capture of ${referenceId} was lost`]
    return refunded && !row.refunded ? [`the refund of ${referenceId} was lost`] : []
  })
}

const MOVING = Object.entries(STATES).flatMap(([name, { kind }]) => (kind === 'moving' ? [`'${name}'`] : []))

export async function stillMoving(ask: Ask): Promise<string[]> {
  const rows = await ask<{ payment_id: string; state: string }>(
    `select payment_id, state from payments where state in (${MOVING.join(', ')})`,
  )
  return rows.map(({ payment_id, state }) => `payment ${payment_id} is still ${state}`)
}
