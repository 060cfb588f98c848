import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { type Diagnosis, diagnosisText } from '../../src/merchants/profiles/diagnosis.ts'
import type { Failure } from '../../src/payments/payment.ts'
import { type PaymentProblem, problemText } from '../../src/payments/problems.ts'
import { createDatabase } from '../support/database.ts'
import { asking, load, VERSIONS, type Version } from './databases.ts'

/** Earlier versions stored these sentences. Their words are history: they do not follow a rewording. */
const SENTENCES: readonly (readonly [string, PaymentProblem['code']])[] = [
  ['The account does not have enough money.', 'declined'],
  ["The customer's bank declined without a reason.", 'declined'],
  ["The provider did not accept the profile's credentials.", 'not-done'],
  ['The provider did not accept the request. (No such "price" (EUR))', 'not-done'],
  ['The payment link expired before it was paid.', 'link-expired'],
  ['The payment was stopped by a fraud rule.', 'stopped'],
  ['The authorisation was voided at the provider.', 'voided-there'],
  ['bank_return', 'bank-return'],
  ['The capture was refused: Scheme refused', 'refused'],
  ['The refund was refused: the provider could not return the money.', 'refused'],
  ['The cancellation was refused: The provider cannot do this. (no: "void")', 'refused'],
  ['The refund did not reach the provider. Try again.', 'step-unreached'],
  ['The cancellation is not possible at the provider any more.', 'step-impossible'],
  ['Waiting for Authorize.Net to confirm the cancellation.', 'waiting'],
  ['Only 0.50 EUR of 25.50 EUR has arrived. Cancel the payment to give it back.', 'part-arrived'],
  [
    'Only 10 JPY of 20 JPY has arrived. The rest may come until 2026-11-20T12:00:00.000Z. ' +
      'Cancel the payment to give it back.',
    'part-arrived',
  ],
  ['Only 1.050 KWD was paid. It is given back.', 'part-paid'],
  ['A further 5.50 USD was captured at the provider after the refund.', 'captured-late'],
  ['A refund of 100.01 USD failed later; the money is still with the provider.', 'refund-failed-later'],
  ['A dispute of 3.00 EUR was won after it was lost; the money is with you again.', 'dispute-won-late'],
  ['The capture failed, and the provider tries again.', 'capture-repeated'],
  ['The capture failed, and the provider tries again: Try "later"', 'capture-repeated'],
  ['The capture failed, and the provider did not capture again in time.', 'capture-given-up'],
  // Of merchants, and of rules.
  ["The buyer's brother called.\nAgain: 'twice'", 'text'],
  ['The payment was declined. (by me)', 'text'],
  ['Only 99999999999999999999999999 EUR was paid. It is given back.', 'text'],
]

const DIAGNOSES = [
  ['5 of the last 10 calls failed', { code: 'failed', failed: 5, calls: 10 }],
  ['half of the last 7 calls took over 9000 ms', { code: 'slow', calls: 7, ms: 9000 }],
  ['answers slowly', { code: 'text', text: 'answers slowly' }],
] as const

const folder = mkdtempSync(join(tmpdir(), 'tender-codes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const FIRST = 900_000

/** A payment that failed with the sentence, and the event that says so. */
function withSentence({ facts }: Version, sentence: string, place: number): string {
  const id = FIRST + place
  const row = {
    ...{ payment_id: id, reference_id: `codes ${place}`, payment_key: `codes ${place}`, state: 'Failed' },
    last_error: sentence,
    failure: { code: 'declined', message: sentence, declineCode: 'generic' },
  }
  const body = JSON.stringify({ type: 'payment.state_changed', payment: { lastError: sentence } })
  return `insert into payments select (jsonb_populate_record(p, ${quoted(JSON.stringify(row))})).*
      from payments p where payment_id = ${facts.payments.created};
    insert into events (app_id, payment_id, sequence, type, state, created_time, body)
      values (${quoted(facts.appId)}, ${id}, 1, 'payment.state_changed', 'Failed', now(), ${quoted(body)});`
}

const withDiagnosis = (says: string, place: number): string =>
  `insert into profile_health (app_id, profile_id, failures, says, due_time)
   select app_id, profile_id, 1, ${quoted(says)}, now() from payment_profiles
   order by app_id, profile_id offset ${place} limit 1;`

let url: string
let before: number
beforeAll(async () => {
  const version = VERSIONS.at(-1) as Version
  url = await createDatabase(inject('databaseUrl'), 'upgrade_codes')
  await load(url, version, folder)
  const rows = SENTENCES.map(([sentence], place) => withSentence(version, sentence, place))
  await asking(url, (ask) => ask(rows.join('\n')))
  await asking(url, (ask) => ask(DIAGNOSES.map(([says], place) => withDiagnosis(says, place)).join('\n')))
  const counted = await asking(url, (ask) => ask<{ n: number }>('select count(*)::int as n from events'))
  before = counted[0]?.n ?? 0
  await migrate(url, 'migrations')
})

interface Row {
  readonly last_error: PaymentProblem
  readonly failure: Failure
  readonly event: PaymentProblem
}

it('turns each stored sentence into a code that reads the same, and keeps every other text', async () => {
  const rows = await asking(url, (ask) =>
    ask<Row>(`select p.last_error, p.failure, e.last_error as event from payments p
      join events e on e.app_id = p.app_id and e.payment_id = p.payment_id
      where p.payment_id >= ${FIRST} order by p.payment_id`),
  )
  expect(rows.map(({ last_error }) => [problemText(last_error), last_error.code])).toEqual(SENTENCES)
  for (const row of rows) {
    expect(row.event).toEqual(row.last_error)
    expect(row.failure).toEqual({ code: 'declined', declineCode: 'generic', problem: row.last_error })
  }
})

it('reads amounts, times and reasons as values', async () => {
  const found = await asking(url, (ask) =>
    ask<{ last_error: PaymentProblem }>(`select last_error from payments where payment_id >= ${FIRST}`),
  )
  const problems = found.map(({ last_error }) => last_error)
  const partly = { code: 'part-arrived', minor: '10', wholeMinor: '20', currency: 'JPY' }
  expect(problems).toContainEqual({ ...partly, until: '2026-11-20T12:00:00.000Z' })
  expect(problems).toContainEqual({ code: 'part-paid', minor: '1050', currency: 'KWD' })
  const because = { code: 'not-done', why: 'unsupported', detail: 'no: "void"' }
  expect(problems).toContainEqual({ code: 'refused', step: 'cancel', because })
})

it('turns diagnoses of profiles into codes', async () => {
  const rows = await asking(url, (ask) =>
    ask<{ diagnosis: Diagnosis }>('select diagnosis from profile_health order by app_id, profile_id'),
  )
  expect(rows.map(({ diagnosis }) => [diagnosisText(diagnosis), diagnosis])).toEqual(DIAGNOSES)
})

it('loses no event, and gives no problem to events without one', async () => {
  const [counted] = await asking(url, (ask) =>
    ask<{ n: number; problems: number }>(
      'select count(*)::int as n, count(last_error)::int as problems from events',
    ),
  )
  expect(counted).toEqual({ n: before, problems: SENTENCES.length })
})
